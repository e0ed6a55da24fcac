import Foundation
import MoyaCore
import MoyaStubs

#if canImport(Testing)
    import Testing
#endif

/// Runs `flow` once as it is, and then again and again with faults of the network. Fails the test with each promise that is
/// broken, and the shortest script that breaks it.
///
/// ```swift
/// try await explore(.everyFault, depth: 2, server: { ShopServer() }) { network in
///     let shop = MoyaProvider<Shop>(transport: network.retrying(.exponential(), clock: network.clock))
///     try await checkout(shop)
/// } holding: { run in
///     run.neverSends(.post, "/orders", moreThan: 1, unlessIdempotent: true)
///     run.ends(within: .seconds(60))
///     run.check("an order is there or the user was told") { run.server.orders.count == 1 || run.error != nil }
/// }
/// ```
///
/// The flow's tasks run on one thread, one at a time, in virtual time: the same seed gives the same runs. What a flow does on
/// other threads is waited for, but its order is not controlled: see ``ExplorationReport/usesOtherThreads``.
///
/// - Parameters:
///   - faults: What may happen to each request.
///   - depth: How many faults a run has at most. With 1 every fault is tried at each request. With 2 each is followed by
///     every other, unless it alone breaks a promise, changes nothing or makes a run like one before. Which ones are left
///     out beyond the options' number of runs is drawn by their seed.
///   - server: Makes the server of a run: a `StubTransport`, a cassette, or a transport of yours with a state. Called for
///     each run. The server acts on a request when it is sent one.
///   - reporter: Takes one issue for each broken promise.
///   - flow: What the user does. Makes its provider with the network it is given.
///   - promises: What has to hold after each run.
/// - Returns: What was found. ``ExplorationReport/html`` is a page with a timeline for each finding. It is attached to a
///   test of Swift Testing that fails.
/// - Throws: What `server` throws; `CancellationError`.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
@discardableResult
public func explore<Server: Transport, Value: Sendable>(
    _ faults: [Fault] = .everyFault, depth: Int = 1,
    options: ExplorationOptions = ExplorationOptions(),
    server: @escaping @Sendable () throws -> Server, reporter: IssueReporter = .standard,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    flow: @escaping @Sendable (ExploredNetwork) async throws -> Value,
    holding promises: @escaping @Sendable (ExploredRun<Server, Value>) throws -> Void
) async throws -> ExplorationReport {
    var explorer = Explorer(
        faults: faults, depth: depth, options: options, makeServer: server, flow: flow,
        promises: promises)
    let report = try await withTaskExecutorPreference(ThreadExecutor()) {
        try explorer.explore()
    }
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    for finding in report.findings {
        reporter.report("\(report.summary)\n\n\(finding)", at: place)
    }
    #if canImport(Testing)
        if !report.findings.isEmpty, Test.current != nil {
            Attachment.record(
                report.html, named: "exploration.html", sourceLocation: SourceLocation(place))
        }
    #endif
    return report
}

/// As ``explore(_:depth:options:server:reporter:fileID:filePath:line:column:flow:holding:)``, with a server that answers with
/// the targets' sample data.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
@discardableResult
public func explore<Value: Sendable>(
    _ faults: [Fault] = .everyFault, depth: Int = 1,
    options: ExplorationOptions = ExplorationOptions(), reporter: IssueReporter = .standard,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    flow: @escaping @Sendable (ExploredNetwork) async throws -> Value,
    holding promises: @escaping @Sendable (ExploredRun<StubTransport, Value>) throws -> Void
) async throws -> ExplorationReport {
    try await explore(
        faults, depth: depth, options: options, server: { StubTransport(.sampleData()) },
        reporter: reporter, fileID: fileID, filePath: filePath, line: line, column: column,
        flow: flow, holding: promises)
}
