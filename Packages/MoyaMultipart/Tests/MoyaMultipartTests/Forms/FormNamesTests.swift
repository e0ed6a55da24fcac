import Foundation
import MoyaCore
import MoyaMultipart
import Testing

@Suite struct FormNamesTests {
    @Test func `form, multipart reader and compression types are available with the Moya prefix`() {
        let names: [(Any.Type, Any.Type)] = [
            (Moya.CompressedUpload.self, MoyaMultipart.CompressedUpload.self),
            (Moya.CompressionError.self, MoyaMultipart.CompressionError.self),
            (Moya.CompressionLevel.self, MoyaMultipart.CompressionLevel.self),
            (Moya.ContentCoding.self, MoyaMultipart.ContentCoding.self),
            (Moya.MultipartFormBodyPart.self, MoyaMultipart.MultipartFormBodyPart.self),
            (Moya.MultipartFormData.self, MoyaMultipart.MultipartFormData.self),
            (Moya.MultipartFormError.self, MoyaMultipart.MultipartFormError.self),
            (Moya.MultipartHeader.self, MoyaMultipart.MultipartHeader.self),
            (Moya.MultipartLimits.self, MoyaMultipart.MultipartLimits.self),
            (Moya.MultipartParser.self, MoyaMultipart.MultipartParser.self),
            (Moya.MultipartPart.self, MoyaMultipart.MultipartPart.self),
            (
                Moya.MultipartParts<AsyncStream<Data>>.self,
                MoyaMultipart.MultipartParts<AsyncStream<Data>>.self
            ),
            (
                Moya.MultipartReader<AsyncStream<Data>>.self,
                MoyaMultipart.MultipartReader<AsyncStream<Data>>.self
            ),
            (Moya.MultipartReadingError.self, MoyaMultipart.MultipartReadingError.self),
            (Moya.MultipartUpload.self, MoyaMultipart.MultipartUpload.self),
        ]
        for (prefixed, plain) in names {
            #expect(ObjectIdentifier(prefixed) == ObjectIdentifier(plain))
        }
    }
}
