extension MoyaError {
    /// What `target` says of a body where the validation has refused the response's status. `nil` for every other error, and
    /// where the body is no ``ResponseTarget/Failure``: `error.response?.decode(_:using:)` throws the reason.
    public func failure<Target: ResponseTarget>(of target: Target) -> Target.Failure?
    where Target.Failure: Decodable {
        failure(as: Target.Failure.self, using: target.coders)
    }
}
