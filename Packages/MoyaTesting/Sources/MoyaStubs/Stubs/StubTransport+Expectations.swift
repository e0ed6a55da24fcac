import MoyaCore

extension StubTransport {
    /// Descriptions of stubs with unused answers.
    public var unusedStubs: [String] { expectations.unusedStubs }

    /// Reports unused stubs, and requests without a stub.
    public func verify(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        expectations.verify(
            at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Reports an issue unless requests match `matcher`. The issue lists the actual requests and
    /// names the nearest.
    ///
    /// ```swift
    /// transport.expectRequest(.method(.post) && .jsonBody(["name": "Ash"]), times: 1)
    /// ```
    ///
    /// - Parameters:
    ///   - matcher: Matcher of the expected requests.
    ///   - times: Expected number of requests. `nil` expects at least one.
    /// - Returns: The matching requests, in order.
    @discardableResult
    public func expectRequest(
        _ matcher: RequestMatcher, times: Int? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> [ReceivedRequest] {
        expectations.expect(
            matcher.description, times: times,
            at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column),
            misses: matcher.misses
        ).map { ReceivedRequest(request: $0, parameters: matcher.parameters($0)) }
    }

    /// Reports an issue unless requests with this method and path were made.
    ///
    /// - Parameters:
    ///   - path: Path template: `/users/{id}`.
    ///   - times: Expected number of requests. `nil` expects at least one.
    /// - Returns: The matching requests, in order.
    @discardableResult
    public func expectRequest(
        _ method: HTTPMethod, _ path: String, times: Int? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> [ReceivedRequest] {
        expectRequest(
            .method(method) && .path(path), times: times, fileID: fileID, filePath: filePath,
            line: line, column: column)
    }
}
