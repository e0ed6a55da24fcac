import Foundation

/// Takes the result of a request.
public typealias Completion = @Sendable (_ result: Result<Response, MoyaError>) -> Void

/// Takes the progress of a request.
public typealias ProgressBlock = @Sendable (_ progress: ProgressResponse) -> Void

/// How far a request has come.
public struct ProgressResponse: Sendable {
    /// The response, once it is there.
    public let response: Response?

    /// How many bytes have moved, of how many.
    public let progressObject: Progress?

    /// A report by whoever moves the bytes. One with a `response` is the last.
    ///
    /// - Parameter progress: Has a `totalUnitCount` below 0 where the length is not known.
    public init(progress: Progress? = nil, response: Response? = nil) {
        progressObject = progress
        self.response = response
    }

    /// The part that is done, from 0 to 1. Stays 0 until the end where the length is not known.
    public var progress: Double {
        if completed { return 1 }
        guard let progressObject, progressObject.totalUnitCount > 0 else { return 0 }
        return progressObject.fractionCompleted
    }

    /// Whether the response is there.
    public var completed: Bool { response != nil }
}
