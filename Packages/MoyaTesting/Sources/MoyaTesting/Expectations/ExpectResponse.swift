import Foundation
import MoyaCore
import MoyaStubs

/// Reports all differences between `response` and the expected values in one issue: the status,
/// each header field, each JSON path, the first line of the text.
///
/// ```swift
/// expectResponse(response, status: 200, headers: ["X-Page": "1"], json: ["id": 1])
/// ```
///
/// Only the given parameters are compared.
///
/// - Parameters:
///   - response: The response.
///   - status: Expected status code.
///   - headers: Expected header fields.
///   - json: Expected body.
///   - allowsMore: Whether objects may have fields that `json` lacks.
///   - text: Expected body as text.
///   - reporter: Receives the differences. Fails the running test by default.
/// - Returns: Whether there are no differences.
@discardableResult
public func expectResponse(
    _ response: Response, status: Int? = nil, headers: [String: String] = [:],
    json: JSONValue? = nil, allowsMore: Bool = false, text: String? = nil,
    reporter: IssueReporter = .currentTest, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> Bool {
    var differences: [String] = []
    if let status, response.statusCode != status {
        differences.append("the status is \(response.statusCode), not \(status)")
    }
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
        let actual = response.header(name)
        guard actual != value else { continue }
        let shown = Redaction.default.redact(actual ?? "", ofHeader: name)
        let wanted = Redaction.default.redact(value, ofHeader: name)
        differences.append(
            actual == nil
                ? "there is no field \(name): \(wanted)" : "\(name) is “\(shown)”, not “\(wanted)”")
    }
    if let json {
        differences += Differences.json(response.body, json, allowsMore: allowsMore)
    }
    if let text { differences += Differences.text(response.body, text) }
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    return Differences.report(
        differences, "The response", showing: response.body, to: reporter, at: place)
}

/// Reports the differences between JSON and an expected value, each with its path: `$.users[2].name
/// is "Ash", not "Misty"`.
///
/// - Parameters:
///   - data: The JSON.
///   - expected: The expected value.
///   - allowsMore: Whether objects may have fields that `expected` lacks.
///   - reporter: Receives the differences. Fails the running test by default.
/// - Returns: Whether there are no differences.
@discardableResult
public func expectJSON(
    _ data: Data, _ expected: JSONValue, allowsMore: Bool = false,
    reporter: IssueReporter = .currentTest, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> Bool {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    return Differences.report(
        Differences.json(data, expected, allowsMore: allowsMore), "The JSON", showing: data,
        to: reporter, at: place)
}

/// Reports why `matcher` does not match `request`.
///
/// ```swift
/// expectRequest(sent, .method(.post) && .path("/users") && .jsonBody(["name": "Ash"]))
/// ```
///
/// - Returns: Whether the request matches.
@discardableResult
public func expectRequest(
    _ request: TransportRequest, _ matcher: RequestMatcher,
    reporter: IssueReporter = .currentTest, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> Bool {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let url = request.urlRequest.url.map(Redaction.default.redact(url:)) ?? "no URL"
    return Differences.report(
        matcher.mismatches(request), "\(request.urlRequest.httpMethod ?? "GET") \(url)",
        to: reporter, at: place)
}

/// Reports why `matcher` does not match `request`.
///
/// - Returns: Whether the request matches.
@discardableResult
public func expectRequest(
    _ request: URLRequest, _ matcher: RequestMatcher, reporter: IssueReporter = .currentTest,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
) -> Bool {
    expectRequest(
        TransportRequest(request), matcher, reporter: reporter, fileID: fileID, filePath: filePath,
        line: line, column: column)
}

extension Response {
    /// Body of the response, read from the file if it was downloaded.
    fileprivate var body: Data {
        fileURL.flatMap { try? Data(contentsOf: $0) } ?? data
    }
}
