import Foundation

import MoyaCore
import MoyaInternals

/// Counts, from any thread.
final class Counter: Sendable {
    private let value = Locked(0)

    var count: Int { value.withLock { $0 } }

    /// Counts one more, and tells how many that makes.
    @discardableResult
    func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }
}

struct NoDataError: Error {}

extension ResponseBody {
    /// A body that was to be kept in memory.
    func bytes() throws -> Data {
        guard case .data(let data) = self else { throw NoDataError() }
        return data
    }
}

extension RequestBodyStream {
    /// Has neither a byte nor an end.
    static var silent: RequestBodyStream { silent(announcing: nil) }

    static func silent(announcing length: Int64?) -> RequestBodyStream {
        RequestBodyStream(length: length) {
            AsyncThrowingStream<Data, any Error> { continuation in
                // The stream would end with its continuation.
                continuation.onTermination = { _ in withExtendedLifetime(continuation) {} }
            }
        }
    }
}
