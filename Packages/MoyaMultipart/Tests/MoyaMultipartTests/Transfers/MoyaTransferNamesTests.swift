import Foundation
import MoyaCore
import MoyaMultipart
import Testing

@Suite struct MoyaTransferNamesTests {
    @Test func `resumable transfer and streaming types are available with the Moya prefix`() {
        let names: [(Any.Type, Any.Type)] = [
            (Moya.Checksum.self, MoyaMultipart.Checksum.self),
            (Moya.DownloadError.self, MoyaMultipart.DownloadError.self),
            (Moya.DownloadedFile.self, MoyaMultipart.DownloadedFile.self),
            (Moya.FileProgress.self, MoyaMultipart.FileProgress.self),
            (Moya.PartialDownload.self, MoyaMultipart.PartialDownload.self),
            (Moya.ProgressBar.self, MoyaMultipart.ProgressBar.self),
            (Moya.ResumableDownloadOptions.self, MoyaMultipart.ResumableDownloadOptions.self),
            (Moya.ResumableUploadOptions.self, MoyaMultipart.ResumableUploadOptions.self),
            (Moya.TransferRetry.self, MoyaMultipart.TransferRetry.self),
            (Moya.UploadError.self, MoyaMultipart.UploadError.self),
            (Moya.UploadedFile.self, MoyaMultipart.UploadedFile.self),
        ]
        for (prefixed, plain) in names {
            #expect(ObjectIdentifier(prefixed) == ObjectIdentifier(plain))
        }
    }
}
