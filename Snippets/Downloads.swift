// Downloads and uploads of large files: with a checksum, over parallel connections, and resumed
// after an interruption.
import Foundation
import Moya

func fetch<Target: TargetType>(
    _ target: Target, with provider: MoyaProvider<Target>, to file: URL
) async throws -> URL {
    let bar = ProgressBar(file.lastPathComponent)
    let options = ResumableDownloadOptions(
        placement: [.createIntermediateDirectories, .removePreviousFile], connections: 4,
        checksum: try .sha256("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
    let result = try await provider.resumableDownload(
        target, to: file, options: options, progress: bar.show)
    print(result.receivedByteCount, "of", result.byteCount, "bytes came this time")
    return result.file
}

func send<Target: TargetType>(
    _ film: URL, to target: Target, with provider: MoyaProvider<Target>
) async throws -> URL {
    let options = ResumableUploadOptions(
        metadata: ["filename": film.lastPathComponent, "filetype": "video/mp4"])
    return try await provider.resumableUpload(film, to: target, options: options).url
}
