import Foundation
@_spi(MoyaInternals) import MoyaCore

/// Where the body of a response goes.
struct BodySink {
    private enum Place {
        case memory(Data, limit: Int)
        case file(NewFile, URL)
    }

    private var place: Place

    /// - Throws: `URLError(.cannotCreateFile)`.
    init(_ destination: ResponseDestination) throws(URLError) {
        switch destination {
        case .memory(let limit): place = .memory(Data(), limit: max(0, limit))
        case .file(let url): place = .file(try NewFile(url), url)
        }
    }

    /// - Throws: `URLError(.dataLengthExceedsMaximum)`, `URLError(.cannotWriteToFile)`.
    mutating func write(_ data: Data) throws(URLError) {
        switch place {
        case .memory(var all, let limit):
            guard data.count <= limit - all.count else {
                throw URLError(
                    .dataLengthExceedsMaximum,
                    "The response's body is larger than the \(limit) bytes that may be kept in memory.",
                    url: nil)
            }
            // One owner, or else appending copies.
            place = .memory(Data(), limit: limit)
            all.append(data)
            place = .memory(all, limit: limit)
        case .file(var file, let url):
            var failure: URLError?
            // Data's own `withUnsafeBytes` hands errors on without their type.
            data.withUnsafeBytes { bytes in
                do throws(URLError) { try file.write(bytes) } catch { failure = error }
            }
            place = .file(file, url)
            if let failure { throw failure }
        }
    }

    /// The body, whole.
    mutating func finish() throws(URLError) -> ResponseBody {
        switch place {
        case .memory(let data, _): return .data(data)
        case .file(var file, let url):
            try file.finish()
            place = .memory(Data(), limit: 0)
            return .file(url)
        }
    }

    /// Throws away what has been written.
    mutating func discard() {
        if case .file(var file, _) = place { file.discard() }
        place = .memory(Data(), limit: 0)
    }
}
