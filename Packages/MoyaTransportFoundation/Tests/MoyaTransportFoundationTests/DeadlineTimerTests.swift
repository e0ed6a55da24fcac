import Foundation
import MoyaTestSupport
import Testing

@testable import MoyaTransportFoundation

@Suite(.timeLimit(.minutes(3))) struct DeadlineTimerTests {
    private let checks = Recorder<Void>()

    /// Returns a timer that records each call of its check. The check returns no next time.
    private func makeTimer() -> DeadlineTimer {
        let timer = DeadlineTimer()
        timer.start { [checks] in
            checks.add(())
            return nil
        }
        return timer
    }

    @Test func `an earlier time that is scheduled after a later one fires first`() async throws {
        let timer = makeTimer()
        timer.schedule(DispatchTime.now() + 3600)
        timer.schedule(DispatchTime.now())
        try await until { checks.count == 1 }
        withExtendedLifetime(timer) {}
    }

    @Test func `a later time does not postpone a timer`() async throws {
        let timer = makeTimer()
        // Long enough for the next line to run before.
        timer.schedule(DispatchTime.now() + 0.3)
        timer.schedule(DispatchTime.now() + 3600)
        try await until { checks.count == 1 }
        withExtendedLifetime(timer) {}
    }

    @Test func `a timer fires again at the time that its check returns, and at later times`()
        async throws
    {
        let timer = DeadlineTimer()
        timer.start { [checks] in checks.add(()) == 1 ? DispatchTime.now() : nil }
        timer.schedule(DispatchTime.now())
        try await until { checks.count == 2 }
        timer.schedule(DispatchTime.now())
        try await until { checks.count == 3 }
        withExtendedLifetime(timer) {}
    }
}
