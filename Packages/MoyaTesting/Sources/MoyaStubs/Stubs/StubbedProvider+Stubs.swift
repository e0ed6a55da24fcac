import Foundation
import MoyaCore

extension StubbedProvider {
    /// Picks every target that `isMatch` does. Say with `respond` how they are answered; stubs added later are asked
    /// first.
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

    /// Picks every target of one case, whatever its values: `provider.on(any: GitHub.userProfile)`.
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

    /// Picks targets by the requests that they make. Say with `respond` how they are answered; stubs added later are
    /// asked first.
    public func on(
        _ matcher: RequestMatcher, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> StubRule<Recorded> {
        let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        return StubRule(
            registry: registry, name: matcher.description, place: place, misses: matcher.misses,
            asked: Self.record)
    }

    /// Answers every target that `isMatch` picks with `stubs`, one after the other.
    ///
    /// - Parameter repetition: What becomes of them when all have been used. The last one stays unless you say
    ///   otherwise.
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
                guard let target = request.target as? Target else {
                    return [.init(reason: "it is not for a \(Target.self)", weight: 1)]
                }
                return miss(target).map { [$0] } ?? []
            }, asked: Self.record)
    }

    @Sendable static func record(_ request: TransportRequest) throws -> Recorded {
        guard let target = request.target as? Target else { throw URLError(.unknown) }
        return Recorded(target: target, request: request)
    }
}

extension StubbedProvider where Target: Equatable {
    /// Picks `target`. Say with `respond` how it is answered; stubs added later are asked first.
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
    /// - Parameter repetition: What becomes of them when all have been used. The last one stays unless you say
    ///   otherwise.
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
