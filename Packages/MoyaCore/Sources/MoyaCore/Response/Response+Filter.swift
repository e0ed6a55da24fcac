extension Response {
    /// This response, if its status code is among `statusCodes`.
    ///
    /// - Throws: ``MoyaError/statusCode(_:)``
    public func filter<Codes: RangeExpression<Int>>(
        statusCodes: Codes
    ) throws -> Response {
        guard statusCodes.contains(statusCode) else { throw MoyaError.statusCode(self) }
        return self
    }

    /// This response, if it has this status code.
    ///
    /// - Throws: ``MoyaError/statusCode(_:)``
    public func filter(statusCode: Int) throws -> Response {
        try filter(statusCodes: statusCode...statusCode)
    }

    /// This response, if its status code is one from 200 to 299.
    ///
    /// - Throws: ``MoyaError/statusCode(_:)``
    public func filterSuccessfulStatusCodes() throws -> Response {
        try filter(statusCodes: 200...299)
    }

    /// This response, if its status code is one from 200 to 399.
    ///
    /// - Throws: ``MoyaError/statusCode(_:)``
    public func filterSuccessfulStatusAndRedirectCodes() throws -> Response {
        try filter(statusCodes: 200...399)
    }
}
