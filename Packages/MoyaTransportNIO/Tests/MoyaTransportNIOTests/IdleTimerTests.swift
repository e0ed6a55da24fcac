#if AsyncHTTPClient
    import NIOConcurrencyHelpers
    import NIOCore
    import NIOEmbedded
    import Testing

    @testable import MoyaTransportNIO

    @Suite(.timeLimit(.minutes(1))) struct IdleTimerTests {
        private let loop = NIOAsyncTestingEventLoop()
        private let deadlines: Deadlines
        private let expiries = NIOLockedValueBox(0)

        init() { deadlines = Deadlines(on: loop) }

        private func timer(_ seconds: Double) -> IdleTimer {
            let timer = IdleTimer(seconds: seconds, on: deadlines) { [expiries] in
                expiries.withLockedValue { $0 += 1 }
            }
            timer.start()
            return timer
        }

        private var count: Int { expiries.withLockedValue { $0 } }

        /// Waits for the task that confirms the expiry.
        private func waitForExpiry() async throws {
            while count == 0 { try await Task.sleep(for: .milliseconds(1)) }
        }

        @Test func `the idle timer expires once after its limit without progress`() async throws {
            let timer = timer(10)
            await loop.advanceTime(by: .seconds(9))
            #expect(count == 0)
            await loop.advanceTime(by: .seconds(1))
            try await waitForExpiry()
            timer.resume()
            await loop.advanceTime(by: .seconds(100))
            #expect(count == 1)
        }

        @Test func `progress restarts the idle timer's limit`() async throws {
            let timer = timer(10)
            for _ in 0..<5 {
                await loop.advanceTime(by: .seconds(9))
                timer.move()
            }
            #expect(count == 0)
            await loop.advanceTime(by: .seconds(10))
            try await waitForExpiry()
        }

        @Test func `the idle timer does not expire while it is paused`() async throws {
            let timer = timer(10)
            timer.pause()
            await loop.advanceTime(by: .seconds(100))
            #expect(count == 0)
            timer.resume()
            await loop.advanceTime(by: .seconds(9))
            #expect(count == 0)
            await loop.advanceTime(by: .seconds(1))
            try await waitForExpiry()
        }

        @Test(arguments: [0.0, -1])
        func `an idle timer without a limit never expires`(seconds: Double) async {
            let timer = timer(seconds)
            await loop.advanceTime(by: .hours(1000))
            #expect(count == 0)
            timer.stop()
        }

        @Test func `a stopped idle timer does not expire`() async {
            let timer = timer(10)
            timer.stop()
            timer.resume()
            await loop.advanceTime(by: .seconds(100))
            #expect(count == 0)
        }
    }
#endif
