#if MockServer
    import Foundation
    import MoyaCore
    import Testing

    @testable import MoyaMockServer

    @Suite struct ResponseScriptTests {
        private func steps(
            _ response: MockResponse, _ fault: MockFault? = nil, isBodiless: Bool = false
        ) -> [ResponseScript.Step] {
            var script = ResponseScript(response, fault: fault, isBodiless: isBodiless)
            var steps: [ResponseScript.Step] = []
            while let step = script.next() { steps.append(step) }
            return steps
        }

        private func body(_ text: String) -> ResponseScript.Step { .body(Data(text.utf8)) }

        @Test func `a response script is a head, a body and an end`() {
            #expect(
                steps(.text("hello")) == [.head, body("hello"), .end, .finish(.keepAlive)])
            #expect(steps(.text("hello"), isBodiless: true) == [.head, .end, .finish(.keepAlive)])
            #expect(
                steps(MockResponse.text("hello").ending(.reset))
                    == [.head, body("hello"), .end, .finish(.reset)])
        }

        @Test func `a response script pauses where the response has delays`() {
            var response = MockResponse(
                body: .chunked([Data("a".utf8), Data(), Data("b".utf8)], interval: 3))
            response.delay = 1
            response.bodyDelay = 2
            response.endDelay = 4
            #expect(
                steps(response) == [
                    .pause(1), .head, .pause(2), body("a"), .pause(6), body("b"),
                    .pause(4), .end,
                    .finish(.keepAlive),
                ])
        }

        @Test func `a throttled response script pauses every twentieth of a second`() {
            #expect(
                steps(MockResponse.text("abcde").throttled(to: 40)) == [
                    .head, body("ab"), .pause(0.05), body("cd"), .pause(0.05), body("e"), .end,
                    .finish(.keepAlive),
                ])
        }

        @Test func `a truncated response script has no end`() {
            #expect(
                steps(MockResponse.text("hello").truncated(after: 2, then: .stall))
                    == [.head, body("he"), .finish(.stall)])
            #expect(
                steps(MockResponse.text("hello").truncated(after: 9))
                    == [.head, body("hello"), .end, .finish(.close)])
        }

        @Test(arguments: [
            (MockFault.Phase.responseStart, [ResponseScript.Step.fault(.reset)]),
            (.responseBody(after: 0), [.head, .fault(.reset)]),
            (.responseBody(after: 2), [.head, .body(Data("he".utf8)), .fault(.reset)]),
            (.responseBody(after: 99), [.head, .body(Data("hello".utf8)), .fault(.reset)]),
            (.responseEnd, [.head, .body(Data("hello".utf8)), .fault(.reset)]),
        ])
        func `a response script ends with a fault in its phase`(
            phase: MockFault.Phase, expected: [ResponseScript.Step]
        ) {
            #expect(steps(.text("hello"), MockFault(.reset, at: phase)) == expected)
        }

        @Test func `a response script continues after a fault that does not end it`() {
            let goAway = MockFault.Action.goAway()
            #expect(
                steps(.text("hello"), MockFault(goAway, at: .responseBody(after: 2))) == [
                    .head, body("he"), .fault(goAway), body("llo"), .end, .finish(.keepAlive),
                ])
            #expect(
                steps(.text("hello"), MockFault(goAway, at: .responseStart))
                    == [.fault(goAway), .head, body("hello"), .end, .finish(.keepAlive)])
        }

        @Test func `a large body is scripted in pieces of 256 KiB`() {
            let pieces = steps(MockResponse(body: .pattern(byteCount: 600_000))).compactMap {
                if case .body(let data) = $0 { data.count } else { nil as Int? }
            }
            #expect(pieces == [262_144, 262_144, 75_712])
        }
    }
#endif
