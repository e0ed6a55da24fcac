import Foundation
import MoyaCore
import MoyaStubs

#if canImport(Testing)
    import Testing
#endif

/// Runs `flow` without faults, and then again for each fault of the network. Fails the test once
/// for each broken promise, with the shortest script that breaks it.
///
/// ```swift
/// try await explore(.everyFault, depth: 2, server: { ShopServer() }) { network in
///     let transport = network
///         .retrying(.exponential(), clock: network.clock)
///         .timingOut(after: 60, clock: network.clock)
///     let shop = MoyaProvider<Shop>(transport: transport)
///     try await checkout(shop)
/// } holding: { run in
///     run.neverSends(.post, "/orders", moreThan: 1, unlessIdempotent: true)
///     run.ends(within: .seconds(150))  // of virtual time
///     run.check("an order is there or the user was told") {
///         run.server.orders.count == 1 || run.error != nil
///     }
/// }
/// ```
///
/// The flow's tasks run on one thread, one at a time, in virtual time: the same seed gives the same
/// runs. The exploration waits for work that the flow does on other threads, but does not control
/// its order: see ``ExplorationReport/usesOtherThreads``.
///
/// The test also fails if the flow throws or sends no request in the run without faults, and if it
/// differs so much from run to run that no fault could be tried at one of its requests.
///
/// - Parameters:
///   - faults: Faults to try at each request.
///   - depth: Maximum number of faults in a run. With 1 every fault is tried at each request. With
///     2 each fault is followed by every other fault, unless the first fault alone breaks a
///     promise, changes nothing or makes a run like an earlier run.
///   - options: Limits of the exploration. Where not all runs with two or more faults fit, the seed
///     decides which of them are left out.
///   - server: Makes the server of a run: a `StubTransport`, a cassette, or your own transport with
///     state. Called once for each run. The server acts on a request in `send(_:)`.
///   - reporter: Receives one issue for each broken promise.
///   - flow: The actions of the user. Makes its provider with the network that it gets.
///   - promises: Checks the conditions that have to hold after each run.
/// - Returns: The findings. ``ExplorationReport/writeHTML(to:)`` writes a page with a timeline for
///   each finding. A failed test of Swift Testing has the page attached.
/// - Throws: Errors of `server`, and `CancellationError`.
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
            ReportAttachment.attach(report.html, place)
        }
    #endif
    return report
}

#if canImport(Testing)
    /// Attaches reports to the running test.
    enum ReportAttachment {
        /// Replaced in tests, because a test cannot read its own attachments.
        @TaskLocal static var attach: @Sendable (_ page: String, _ place: SourcePlace) -> Void = {
            Attachment.record(
                $0, named: "exploration.html", sourceLocation: SourceLocation($1))
        }
    }
#endif

/// Explores `flow` like
/// ``explore(_:depth:options:server:reporter:fileID:filePath:line:column:flow:holding:)``, with a
/// server that answers with the sample data of the targets.
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
