extension MoyaError {
    /// Decodes the error body of a response whose status code validation rejected. Returns `nil`
    /// for all other errors, and if the body cannot be decoded; `error.response?.decode(_:using:)`
    /// throws the reason.
    public func failure<Target: ResponseTarget>(of target: Target) -> Target.Failure?
    where Target.Failure: Decodable {
        failure(as: Target.Failure.self, using: target.coders)
    }
}
