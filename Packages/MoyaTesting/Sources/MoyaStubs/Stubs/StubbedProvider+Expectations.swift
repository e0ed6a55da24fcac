import Foundation
import MoyaCore

extension StubbedProvider {
    /// A recorded request.
    public struct Recorded: Sendable {
        /// The requested target.
        public let target: Target
        /// The request as it would have been sent, after all plugins.
        public let request: TransportRequest

        /// Body of the request, if it is in memory.
        public var body: Data? {
            if case .data(let data) = request.body { data } else { nil }
        }
    }

    /// All requests so far, in order.
    public var requests: [Recorded] { registry.requests.compactMap { try? Self.record($0) } }

    /// Requests that failed because they had no stub.
    public var unexpectedRequests: [Recorded] {
        registry.unexpectedRequests.compactMap { try? Self.record($0) }
    }

    /// Descriptions of stubs with unused answers.
    public var unusedStubs: [String] { expectations.unusedStubs }

    /// Reports unused stubs, and requests that failed because they had no stub.
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
    /// - Parameters:
    ///   - matcher: Matcher of the expected requests.
    ///   - times: Expected number of requests. `nil` expects at least one.
    /// - Returns: The matching requests, in order.
    @discardableResult
    public func expectRequest(
        _ matcher: RequestMatcher, times: Int? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> [Recorded] {
        expectations.expect(
            matcher.description, times: times,
            at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column),
            misses: matcher.misses
        ).compactMap { try? Self.record($0) }
    }
}

extension StubbedProvider where Target: Equatable {
    /// Returns the number of requests for `target`.
    public func requestCount(of target: Target) -> Int {
        requests.filter { $0.target == target }.count
    }

    /// Reports an issue unless `target` was requested. The issue lists the actual requests.
    ///
    /// - Parameters:
    ///   - target: The expected target.
    ///   - times: Expected number of requests. `nil` expects at least one.
    /// - Returns: The matching requests, in order.
    @discardableResult
    public func received(
        _ target: Target, times: Int? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> [Recorded] {
        expectations.expect(
            "\(target)", times: times,
            at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        ) { request in
            guard let asked = request.target(as: Target.self) else { return [] }
            return asked == target ? [] : [Self.miss(asked, target)]
        }
        .compactMap { try? Self.record($0) }
    }

    /// Reports an issue unless these targets were requested in this order. Other requests in
    /// between are ignored.
    public func received(
        inOrder targets: Target..., fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        expectations.expectOrder(
            targets.map { "\($0)" },
            at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        ) { request, index in
            request.target(as: Target.self) == targets[index]
        }
    }
}
