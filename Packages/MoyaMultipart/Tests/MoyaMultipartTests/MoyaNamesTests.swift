import Foundation
import MoyaCore
import MoyaMultipart
import Testing

@Suite struct MoyaNamesTests {
    @Test func `file transfer types are available with the Moya prefix`() {
        let names: [(Any.Type, Any.Type)] = [
            (Moya.DownloadDestination.self, MoyaMultipart.DownloadDestination.self),
            (Moya.DownloadOptions.self, MoyaMultipart.DownloadOptions.self),
            (Moya.FileTransferError.self, MoyaMultipart.FileTransferError.self),
            (Moya.FileUpload.self, MoyaMultipart.FileUpload.self),
            (Moya.SuggestedFilename.self, MoyaMultipart.SuggestedFilename.self),
        ]
        for (prefixed, plain) in names {
            #expect(ObjectIdentifier(prefixed) == ObjectIdentifier(plain))
        }
    }
}
