import Foundation

/// Receives the result of a request.
public typealias Completion = @Sendable (_ result: Result<Response, MoyaError>) -> Void

/// Receives the progress of a request.
public typealias ProgressBlock = @Sendable (_ progress: ProgressResponse) -> Void

/// The progress of a request.
public struct ProgressResponse: Sendable {
    /// The response, once it has arrived.
    public let response: Response?

    /// The number of bytes transferred and their total.
    public let progressObject: Progress?

    /// Creates a progress report. A report with a `response` is the last one.
    ///
    /// - Parameter progress: Has a negative `totalUnitCount` if the total is unknown.
    public init(progress: Progress? = nil, response: Response? = nil) {
        progressObject = progress
        self.response = response
    }

    /// The completed fraction, from 0 to 1. If the total is unknown, 0 until the response arrives.
    public var progress: Double {
        if completed { return 1 }
        guard let progressObject, progressObject.totalUnitCount > 0 else { return 0 }
        return progressObject.fractionCompleted
    }

    /// Whether the response has arrived.
    public var completed: Bool { response != nil }
}
