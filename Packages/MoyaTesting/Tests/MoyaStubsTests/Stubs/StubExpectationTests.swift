import Foundation
import MoyaCore
import MoyaStubs
import MoyaTestSupport
import Testing

@Suite struct StubExpectationTests {
    private let issues = Issues()

    @Test func `requests received as often as expected report no issue`() async throws {
        let provider = StubbedProvider<Shop>(reporter: issues.reporter)
        for target in [Shop.list, .buy, .list] { _ = try await provider.request(target) }
        #expect(provider.received(.list, times: 2).count == 2)
        #expect(provider.received(.buy).map(\.target) == [.buy])
        provider.received(inOrder: .list, .buy)
        provider.received(inOrder: .buy, .list)
        provider.expectRequest(.path("/buy") && .jsonBody(["id": 7]), times: 1)
        #expect(issues.messages.isEmpty)
    }

    @Test func `a request received too seldom is an issue at that line, with all requests`()
        async throws
    {
        let provider = StubbedProvider<Shop>(reporter: issues.reporter)
        _ = try await provider.request(.list)
        provider.received(.buy, times: 2)
        #expect(issues.lines == [#line - 1])
        #expect(
            issues.messages == [
                """
                buy was expected twice and requested never.
                Requested, in this order:
                  1. list: GET https://shop.test/list
                The nearest is request 1: the target is list, not buy.
                """
            ])
    }

    @Test func `a request received too often is an issue`() async throws {
        let provider = StubbedProvider<Shop>(reporter: issues.reporter)
        for _ in 0..<3 { _ = try await provider.request(.list) }
        provider.received(.list, times: 1)
        provider.received(.buy, times: 0)
        #expect(issues.messages.count == 1)
        #expect(issues.messages[0].hasPrefix("list was expected once and requested 3 times.\n"))
        #expect(!issues.messages[0].contains("nearest"))
    }

    @Test func `requests received in another order are an issue`() async throws {
        let provider = StubbedProvider<Shop>(reporter: issues.reporter)
        for target in [Shop.buy, .list] { _ = try await provider.request(target) }
        provider.received(inOrder: .list, .buy)
        #expect(
            issues.messages == [
                """
                buy was not requested after list.
                Expected, in this order: list, buy.
                Requested, in this order:
                  1. buy: POST https://shop.test/buy
                  2. list: GET https://shop.test/list
                """
            ])
    }

    @Test func `a missing request is an issue with the nearest request`() async throws {
        let provider = StubbedProvider<Shop>(reporter: issues.reporter)
        provider.expectRequest(.method(.post))
        _ = try await provider.request(.buy)
        provider.expectRequest(.method(.post) && .path("/buy") && .jsonBody(["id": 8]))
        #expect(
            issues.messages[0]
                == "POST was expected at least once and requested never.\nNothing was requested.")
        #expect(
            issues.messages[1].hasSuffix(
                "The nearest is request 1: in the body, $.id is 7, not 8."))
    }

    @Test func `verifying reports unused stubs and requests without a stub`() async throws {
        let provider = StubbedProvider<Shop>(unstubbed: .fail, reporter: issues.reporter)
        provider.stub(.list, with: .response(503), .response(200))
        let line = #line - 1
        _ = try? await provider.request(.list)
        _ = try? await provider.request(.buy)
        provider.verify()
        let messages = issues.messages
        #expect(
            messages.first?.hasPrefix(
                "A stub was not used:\n"
                    + "  - list (StubExpectationTests.swift:\(line)): 1 of its 2 answers used\n")
                == true)
        #expect(
            messages.last?.hasPrefix(
                "A request was made that nothing is stubbed for:\n"
                    + "  - buy: POST https://shop.test/buy\n") == true)
        #expect(issues.lines == [UInt(line + 4), UInt(line + 4)])
    }

    @Test func `verifying counts the unused stubs and the requests without a stub`() async throws {
        let provider = StubbedProvider<Shop>(unstubbed: .fail, reporter: issues.reporter)
        provider.stub(.list, with: .response())
        provider.on(where: { _ in false }).respond(.response())
        for _ in 0..<2 { _ = try? await provider.request(.buy) }
        provider.verify()
        let messages = issues.messages
        #expect(messages.count == 2)
        #expect(messages.first?.hasPrefix("2 stubs were not used:\n  - list (") == true)
        #expect(messages.first?.contains("): never used\n") == true)
        #expect(
            messages.last?.hasPrefix("2 requests were made that nothing is stubbed for:\n")
                == true)
    }

    @Test(arguments: [20, 21, 22])
    func `an issue lists the first 20 requests and the number of the others`(count: Int)
        async throws
    {
        let provider = StubbedProvider<Shop>(reporter: issues.reporter)
        for _ in 0..<count { _ = try await provider.request(.list) }
        provider.received(.buy)
        let lines = issues.messages.first?.components(separatedBy: "\n") ?? []
        #expect(lines.contains("  20. list: GET https://shop.test/list"))
        #expect(!lines.contains { $0.hasPrefix("  21. ") })
        #expect(lines.contains("  and \(count - 20) more") == (count > 20))
    }

    @Test func `stubs are verified on release if configured to be`() async throws {
        func make(verifies: Bool) {
            let provider = StubbedProvider<Shop>(
                reporter: issues.reporter, verifiesOnDeinit: verifies)
            provider.stub(.list, with: .response())
            let transport = StubTransport(
                reporter: issues.reporter, verifiesOnDeinit: verifies)
            transport.on(.get, "/never").respond(.response())
        }
        make(verifies: false)
        #expect(issues.messages.isEmpty)
        make(verifies: true)
        #expect(issues.messages.count == 2)
    }

    @Test func `a failed expectation is an issue of the running test`() async throws {
        let provider = StubbedProvider<Shop>()
        withKnownIssue {
            provider.received(.buy)
        } matching: { issue in
            issue.comments.contains { $0.rawValue.hasPrefix("buy was expected at least once") }
                && issue.sourceLocation?.fileName == "StubExpectationTests.swift"
        }
    }
}
