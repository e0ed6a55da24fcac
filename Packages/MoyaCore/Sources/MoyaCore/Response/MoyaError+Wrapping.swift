import Foundation

extension MoyaError {
    /// Creates the error of a request that failed with `error`: `error` itself if it is a
    /// ``MoyaError``, otherwise ``underlying(_:_:)`` with `error`, or with `URLError(.cancelled)`
    /// for a `CancellationError`.
    ///
    /// - Parameter response: The response, if it arrived before the error.
    public init(wrapping error: any Error, _ response: Response? = nil) {
        self =
            switch error {
            case let error as MoyaError: error
            case is CancellationError: .cancelled
            default: .underlying(error, response)
            }
    }

    /// The error of a cancelled request.
    static var cancelled: MoyaError { .underlying(URLError(.cancelled), nil) }
}
