extension Response {
    /// This response, if its status code is among `statusCodes`.
    ///
    /// - Throws: ``MoyaError/statusCode(_:)``
    public func filter<Codes: RangeExpression<Int>>(
        statusCodes: Codes
    ) throws(MoyaError) -> Response {
        guard statusCodes.contains(statusCode) else { throw .statusCode(self) }
        return self
    }

    /// This response, if it has this status code.
    ///
    /// - Throws: ``MoyaError/statusCode(_:)``
    public func filter(statusCode: Int) throws(MoyaError) -> Response {
        try filter(statusCodes: statusCode...statusCode)
    }

    /// This response, if its status code is one from 200 to 299.
    ///
    /// - Throws: ``MoyaError/statusCode(_:)``
    public func filterSuccessfulStatusCodes() throws(MoyaError) -> Response {
        try filter(statusCodes: 200...299)
    }

    /// This response, if its status code is one from 200 to 399.
    ///
    /// - Throws: ``MoyaError/statusCode(_:)``
    public func filterSuccessfulStatusAndRedirectCodes() throws(MoyaError) -> Response {
        try filter(statusCodes: 200...399)
    }
}
