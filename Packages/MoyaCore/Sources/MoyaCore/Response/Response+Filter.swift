extension Response {
    /// Returns this response if its status code is in `statusCodes`.
    ///
    /// - Throws: ``MoyaError/statusCode(_:)``
    public func filter<Codes: RangeExpression<Int>>(
        statusCodes: Codes
    ) throws -> Response {
        guard statusCodes.contains(statusCode) else { throw MoyaError.statusCode(self) }
        return self
    }

    /// Returns this response if its status code is `statusCode`.
    ///
    /// - Throws: ``MoyaError/statusCode(_:)``
    public func filter(statusCode: Int) throws -> Response {
        try filter(statusCodes: statusCode...statusCode)
    }

    /// Returns this response if its status code is in 200...299.
    ///
    /// - Throws: ``MoyaError/statusCode(_:)``
    public func filterSuccessfulStatusCodes() throws -> Response {
        try filter(statusCodes: 200...299)
    }

    /// Returns this response if its status code is in 200...399.
    ///
    /// - Throws: ``MoyaError/statusCode(_:)``
    public func filterSuccessfulStatusAndRedirectCodes() throws -> Response {
        try filter(statusCodes: 200...399)
    }
}
