import Foundation
import MoyaCore

extension StubbedProvider {
    /// One request that was made.
    public struct Recorded: Sendable {
        /// What was asked for.
        public let target: Target
        /// What would have been sent, as the plugins left it.
        public let request: TransportRequest

        /// The request's body, where it is in memory.
        public var body: Data? {
            if case .data(let data) = request.body { data } else { nil }
        }
    }

    /// The requests made so far, in order.
    public var requests: [Recorded] { registry.requests.compactMap { try? Self.record($0) } }

    /// Those of the requests that failed because no stub stood for them.
    public var unexpectedRequests: [Recorded] {
        registry.unexpectedRequests.compactMap { try? Self.record($0) }
    }

    /// Stubs of which not every answer was used, each in a few words.
    public var unusedStubs: [String] { expectations.unusedStubs }

    /// Reports stubs that were not used, and requests that failed because no stub stood for them.
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
    /// - Parameter times: How many. `nil` is at least one.
    /// - Returns: Those requests, in order.
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
    /// How many times `target` was requested.
    public func requestCount(of target: Target) -> Int {
        requests.filter { $0.target == target }.count
    }

    /// Reports unless `target` was requested. The report says what was requested instead.
    ///
    /// - Parameter times: How often. `nil` is at least once.
    /// - Returns: Those requests, in order.
    @discardableResult
    public func received(
        _ target: Target, times: Int? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> [Recorded] {
        expectations.expect(
            "\(target)", times: times,
            at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        ) { request in
            guard let asked = request.target as? Target else { return [] }
            return asked == target ? [] : [Self.miss(asked, target)]
        }
        .compactMap { try? Self.record($0) }
    }

    /// Reports unless these targets were requested one after the other, whatever came in between.
    public func received(
        inOrder targets: Target..., fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        expectations.expectOrder(
            targets.map { "\($0)" },
            at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        ) { request, index in
            (request.target as? Target) == targets[index]
        }
    }
}
