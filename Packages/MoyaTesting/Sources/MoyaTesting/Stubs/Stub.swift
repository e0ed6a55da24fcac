import Foundation

/// The answer to a stubbed request.
public struct Stub: Sendable {
    enum Outcome: Sendable {
        case response(status: Int, headers: [String: String], data: Data)
        case sampleData(status: Int)
        case failure(any Error)
    }

    var outcome: Outcome
    var delay: TimeInterval = 0

    /// A response with this status code, these header fields and this body.
    public static func response(
        _ status: Int = 200, headers: [String: String] = [:], data: Data = Data()
    ) -> Stub {
        Stub(outcome: .response(status: status, headers: headers, data: data))
    }

    /// A response with `value` as JSON.
    ///
    /// - Throws: What encoding throws.
    public static func json(
        _ value: some Encodable, status: Int = 200, encoder: JSONEncoder = JSONEncoder()
    ) throws -> Stub {
        .response(
            status, headers: ["Content-Type": "application/json"], data: try encoder.encode(value))
    }

    /// The target's own sample data.
    public static func sampleData(status: Int = 200) -> Stub {
        Stub(outcome: .sampleData(status: status))
    }

    /// No response: the exchange fails with `error`.
    public static func failure(_ error: any Error) -> Stub {
        Stub(outcome: .failure(error))
    }

    /// No response: the exchange fails as a network does, with `URLError(code)`.
    public static func failure(_ code: URLError.Code) -> Stub {
        .failure(URLError(code))
    }

    /// The same answer, `seconds` later.
    public func delayed(by seconds: TimeInterval) -> Stub {
        var stub = self
        stub.delay = seconds
        return stub
    }
}

/// No stub stands for a request that was made.
public struct MissingStubError: Error, LocalizedError, CustomStringConvertible {
    public let description: String
    public var errorDescription: String? { description }
}
