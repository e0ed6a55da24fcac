import MoyaCore

// The names of this module under the prefix `Moya.`: see `Moya` in MoyaCore.
extension Moya {
    public typealias MultipartFormBodyPart = MoyaMultipart.MultipartFormBodyPart
    public typealias MultipartFormData = MoyaMultipart.MultipartFormData
    public typealias MultipartFormError = MoyaMultipart.MultipartFormError
    public typealias MultipartHeader = MoyaMultipart.MultipartHeader
    public typealias MultipartLimits = MoyaMultipart.MultipartLimits
    public typealias MultipartParser = MoyaMultipart.MultipartParser
    public typealias MultipartPart = MoyaMultipart.MultipartPart
    public typealias MultipartParts = MoyaMultipart.MultipartParts
    public typealias MultipartReader = MoyaMultipart.MultipartReader
    public typealias MultipartReadingError = MoyaMultipart.MultipartReadingError
    public typealias MultipartUpload = MoyaMultipart.MultipartUpload
    @available(*, deprecated, renamed: "Moya.MultipartFormData")
    public typealias RequestMultipartFormData = MoyaMultipart.RequestMultipartFormData
}

extension Moya {
    public typealias CompressedUpload = MoyaMultipart.CompressedUpload
    public typealias CompressionError = MoyaMultipart.CompressionError
    public typealias CompressionLevel = MoyaMultipart.CompressionLevel
    public typealias ContentCoding = MoyaMultipart.ContentCoding
}
