import Foundation
import MoyaCore
import MoyaStubs

/// Reports where `response` is not what was expected, everything at once: the status, each header field, each place in
/// the JSON, the first line of the text.
///
/// ```swift
/// expectResponse(response, status: 200, headers: ["Content-Type": "application/json"], json: ["id": 1])
/// ```
///
/// Only what is named is looked at.
///
/// - Parameters:
///   - headers: Fields and their values.
///   - json: The body.
///   - allowsMore: Whether objects may have fields that `json` has not.
///   - text: The body as text.
///   - reporter: Takes what is different. The test that is running, unless you say otherwise.
/// - Returns: Whether all was as expected.
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

/// Reports where JSON is not what was expected, each place by its path: `$.users[2].name is "Ash", not "Misty"`.
///
/// - Parameters:
///   - allowsMore: Whether objects may have fields that `expected` has not.
///   - reporter: Takes what is different. The test that is running, unless you say otherwise.
/// - Returns: Whether all was as expected.
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

/// Reports why `matcher` does not pick `request`.
///
/// ```swift
/// expectRequest(sent, .method(.post) && .path("/users") && .jsonBody(["name": "Ash"]))
/// ```
///
/// - Returns: Whether it picks it.
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

/// Reports why `matcher` does not pick `request`.
///
/// - Returns: Whether it picks it.
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
    /// The body, wherever it was delivered to.
    fileprivate var body: Data {
        fileURL.flatMap { try? Data(contentsOf: $0) } ?? data
    }
}
