import MoyaCore

// The names of this module under the prefix `Moya.`: see `Moya` in MoyaCore.
extension Moya {
    public typealias Checksum = MoyaMultipart.Checksum
    public typealias DownloadError = MoyaMultipart.DownloadError
    public typealias DownloadedFile = MoyaMultipart.DownloadedFile
    public typealias FileProgress = MoyaMultipart.FileProgress
    public typealias PartialDownload = MoyaMultipart.PartialDownload
    public typealias ProgressBar = MoyaMultipart.ProgressBar
    public typealias ResumableDownloadOptions = MoyaMultipart.ResumableDownloadOptions
    public typealias ResumableUploadOptions = MoyaMultipart.ResumableUploadOptions
    public typealias TransferRetry = MoyaMultipart.TransferRetry
    public typealias UploadError = MoyaMultipart.UploadError
    public typealias UploadedFile = MoyaMultipart.UploadedFile
}
