import MoyaCore

// The names of this module under the prefix `Moya.`: see `Moya` in MoyaCore.
extension Moya {
    public typealias DownloadDestination = MoyaMultipart.DownloadDestination
    public typealias DownloadOptions = MoyaMultipart.DownloadOptions
    @available(*, deprecated, message: "use `Moya.DownloadOptions` and the like")
    public typealias DownloadRequest = MoyaMultipart.DownloadRequest
    public typealias FileTransferError = MoyaMultipart.FileTransferError
    public typealias FileUpload = MoyaMultipart.FileUpload
    public typealias SuggestedFilename = MoyaMultipart.SuggestedFilename
}
