import MoyaCore

extension StubTransport {
    /// Stubs of which not every answer was used, each in a few words.
    public var unusedStubs: [String] { expectations.unusedStubs }

    /// Reports stubs that were not used, and requests that no stub stood for.
    public func verify(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        expectations.verify(
            at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Reports unless requests were made that `matcher` picks. The report says what was requested instead, and what
    /// comes nearest.
    ///
    /// ```swift
    /// transport.expectRequest(.method(.post) && .jsonBody(["name": "Ash"]), times: 1)
    /// ```
    ///
    /// - Parameter times: How many. `nil` is at least one.
    /// - Returns: Those requests, in order.
    @discardableResult
    public func expectRequest(
        _ matcher: RequestMatcher, times: Int? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> [ReceivedRequest] {
        expectations.expect(
            matcher.description, times: times,
            at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column),
            misses: matcher.misses
        ).map { ReceivedRequest($0, parameters: matcher.parameters($0)) }
    }

    /// Reports unless requests of this method and path were made.
    ///
    /// - Parameters:
    ///   - path: A template: `/users/{id}`.
    ///   - times: How many. `nil` is at least one.
    /// - Returns: Those requests, in order.
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
