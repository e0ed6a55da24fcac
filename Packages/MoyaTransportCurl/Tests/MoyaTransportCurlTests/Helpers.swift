import Foundation

import MoyaCore
import MoyaInternals

/// A thread-safe counter.
final class Counter: Sendable {
    private let value = Locked(0)

    var count: Int { value.withLock { $0 } }

    /// Increments the count and returns it.
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
    /// The bytes of a body in memory.
    func bytes() throws -> Data {
        guard case .data(let data) = self else { throw NoDataError() }
        return data
    }
}

extension RequestBodyStream {
    /// A stream without bytes and without an end.
    static var silent: RequestBodyStream { silent(announcing: nil) }

    static func silent(announcing length: Int64?) -> RequestBodyStream {
        RequestBodyStream(length: length) {
            AsyncThrowingStream<Data, any Error> { continuation in
                // Retained, because the stream ends when its continuation is deallocated.
                continuation.onTermination = { _ in withExtendedLifetime(continuation) {} }
            }
        }
    }
}
