import Foundation
import MoyaCore

extension StubbedProvider {
    /// Selects targets for which `isMatch` returns `true`. Add their answers with `respond`. Later
    /// rules take precedence over earlier rules.
    @preconcurrency
    public func on(
        where isMatch: @escaping @Sendable (Target) -> Bool, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> StubRule<Recorded> {
        let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        return rule("what a closure picks", place) { target in
            isMatch(target) ? nil : .init(reason: "its closure does not pick it", weight: 1)
        }
    }

    /// Selects every target of one enum case, whatever its values: `provider.on(any:
    /// GitHub.userProfile)`.
    public func on<each Value>(
        any makeTarget: @escaping @Sendable (repeat each Value) -> Target,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) -> StubRule<Recorded> {
        let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        return rule("any \((repeat each Value).self) -> \(Target.self)", place) { target in
            TargetCase.isCase(target, of: makeTarget)
                ? nil : .init(reason: "\(target) is another case", weight: 0.9)
        }
    }

    /// Selects targets by their requests. Add their answers with `respond`. Later rules take
    /// precedence over earlier rules.
    public func on(
        _ matcher: RequestMatcher, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> StubRule<Recorded> {
        let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        return StubRule(
            registry: registry, name: matcher.description, place: place, misses: matcher.misses,
            asked: Self.record)
    }

    /// Answers targets for which `isMatch` returns `true` with `stubs`, one after the other.
    ///
    /// - Parameters:
    ///   - isMatch: Whether the stubs apply to a target.
    ///   - stubs: The answers.
    ///   - repetition: The response to requests after the last stub. By default, the last stub
    ///     answers all further requests.
    @preconcurrency
    public func stub(
        where isMatch: @escaping @Sendable (Target) -> Bool, with stubs: Stub...,
        repeating repetition: StubRepetition = .last, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        on(where: isMatch, fileID: fileID, filePath: filePath, line: line, column: column)
            .add(stubs, repeating: repetition)
    }

    func rule(
        _ name: String, _ place: SourcePlace,
        miss: @escaping @Sendable (Target) -> RequestMatcher.Miss?
    ) -> StubRule<Recorded> {
        StubRule(
            registry: registry, name: name, place: place,
            misses: { request in
                guard let target = request.target(as: Target.self) else {
                    return [.init(reason: "it is not for a \(Target.self)", weight: 1)]
                }
                return miss(target).map { [$0] } ?? []
            }, asked: Self.record)
    }

    @Sendable static func record(_ request: TransportRequest) throws -> Recorded {
        guard let target = request.target(as: Target.self) else { throw URLError(.unknown) }
        return Recorded(target: target, request: request)
    }
}

extension StubbedProvider where Target: Equatable {
    /// Selects `target`. Add its answers with `respond`. Later rules take precedence over earlier
    /// rules.
    public func on(
        _ target: Target, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> StubRule<Recorded> {
        let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        return rule("\(target)", place) { asked in
            asked == target ? nil : Self.miss(asked, target)
        }
    }

    /// Answers `target` with `stubs`, one after the other.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - stubs: The answers.
    ///   - repetition: The response to requests after the last stub. By default, the last stub
    ///     answers all further requests.
    public func stub(
        _ target: Target, with stubs: Stub..., repeating repetition: StubRepetition = .last,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        on(target, fileID: fileID, filePath: filePath, line: line, column: column)
            .add(stubs, repeating: repetition)
    }

    static func miss(_ asked: Target, _ wanted: Target) -> RequestMatcher.Miss {
        .init(
            reason: "the target is \(asked), not \(wanted)",
            weight: "\(asked)".distance(to: "\(wanted)"))
    }
}
