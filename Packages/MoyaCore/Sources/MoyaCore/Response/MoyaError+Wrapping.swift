import Foundation

extension MoyaError {
    /// The error that a request fails with when `error` ended it: `error` itself where it is a ``MoyaError``, the error of a
    /// cancelled request for a `CancellationError`, otherwise ``underlying(_:_:)``.
    ///
    /// - Parameter response: The response that had arrived by then.
    public init(wrapping error: any Error, _ response: Response? = nil) {
        self =
            switch error {
            case let error as MoyaError: error
            case is CancellationError: .cancelled
            default: .underlying(error, response)
            }
    }

    /// What a cancelled request fails with.
    static var cancelled: MoyaError { .underlying(URLError(.cancelled), nil) }
}
