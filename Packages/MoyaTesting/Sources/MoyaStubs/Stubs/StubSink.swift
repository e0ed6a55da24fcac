import Foundation
import MoyaCore

/// Takes a stub's body to where the request wants it.
enum StubSink {
    case memory(Data, limit: Int)
    case file(NewFile, URL)

    init(_ destination: ResponseDestination) throws {
        switch destination {
        case .memory(let limit): self = .memory(Data(), limit: limit)
        case .stream: self = .memory(Data(), limit: .max)
        case .file(let url): self = .file(try NewFile(url), url)
        }
    }

    mutating func write(_ bytes: Data) throws {
        switch self {
        case .memory(var data, let limit):
            guard data.count + bytes.count <= limit else {
                throw URLError(
                    .dataLengthExceedsMaximum,
                    "The stub's body is larger than the \(limit) bytes that the request takes "
                        + "into memory.", url: nil)
            }
            // Given up first, so that appending does not copy.
            self = .memory(Data(), limit: limit)
            data.append(bytes)
            self = .memory(data, limit: limit)
        case .file(var file, let url):
            try bytes.withUnsafeBytes { try file.write($0) }
            self = .file(file, url)
        }
    }

    mutating func finish() throws -> ResponseBody {
        switch self {
        case .memory(let data, _): return .data(data)
        case .file(var file, let url):
            defer { self = .file(file, url) }
            try file.finish()
            return .file(url)
        }
    }

    /// Removes what was written.
    mutating func discard() {
        guard case .file(var file, let url) = self else { return }
        file.discard()
        self = .file(file, url)
    }
}
