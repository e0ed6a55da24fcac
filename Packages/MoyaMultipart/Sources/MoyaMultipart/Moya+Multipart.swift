import MoyaCore

// The names of this module under the prefix `Moya.`: see `Moya` in MoyaCore.
extension Moya {
    public typealias DownloadDestination = MoyaMultipart.DownloadDestination
    public typealias DownloadOptions = MoyaMultipart.DownloadOptions
    public typealias FileTransferError = MoyaMultipart.FileTransferError
    public typealias FileUpload = MoyaMultipart.FileUpload
    public typealias SuggestedFilename = MoyaMultipart.SuggestedFilename
}
