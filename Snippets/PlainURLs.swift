// Requests to URLs without a target type: a progress bar, a checksum and a resumed download.
import Foundation
import MoyaKit

func fetch(_ link: String, to file: URL) async throws {
    // The body in memory, with a progress bar on standard error.
    let provider = MoyaProvider<URLTarget>()
    let bar = ProgressBar("image.iso")
    for try await report in provider.progress(of: URLTarget(link)) { bar.show(report) }

    // A file that is verified before it gets its name. Run it again after an interruption: it
    // requests the missing bytes.
    let checksum = try Checksum.sha256(
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    let options = ResumableDownloadOptions(checksum: checksum)
    _ = try await provider.resumableDownload(URLTarget(link), to: file, options: options)

    // All of it, with a progress bar.
    _ = try await provider.resumableDownload(
        URLTarget(link), to: file, options: options, progress: bar.show)

    // A stream.
    for try await line in try await provider.stream("https://example.com/log").lines {
        print(line)
    }
}
