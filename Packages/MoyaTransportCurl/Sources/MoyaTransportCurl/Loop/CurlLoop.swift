import CCurl
import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The thread that carries every transfer of a transport.
///
/// Others talk to it through a queue of commands. It drives libcurl's multi interface by events, and is the
/// only one to touch libcurl or a transfer once that has been submitted.
final class CurlLoop: Sendable {
    enum Command {
        case start(Transfer)
        case cancel(Transfer)
        case stop
    }

    /// What other threads have left for the loop.
    struct Inbox {
        var commands: [Command] = []
        /// Whether the loop waits for events, so that somebody has to wake it.
        var isAsleep = false
        var isStopped = false
    }

    private let inbox = Locked(Inbox())
    private let waker: Waker

    init(_ configuration: CurlTransport.Configuration) throws {
        let driver = try CurlDriver(configuration, inbox)
        waker = driver.waker
        let box = Unchecked(driver)
        let thread = Thread { box.value.run() }
        thread.name = "moya.curl"
        thread.start()
    }

    /// Leaves `command` for the loop. After ``stop()`` a transfer fails at once.
    func submit(_ command: Command) {
        let (isTaken, isAsleep) = inbox.withLock { inbox in
            guard !inbox.isStopped else { return (false, false) }
            inbox.commands.append(command)
            defer { inbox.isAsleep = false }
            return (true, inbox.isAsleep)
        }
        if isTaken {
            // The loop closes its descriptors only after it has taken the command to stop, and
            // whoever wakes it for an earlier one would write to a closed descriptor at worst.
            if isAsleep { waker.wake() }
        } else if case .start(let transfer) = command {
            transfer.finish(.failure(URLError(.cancelled)))
        }
    }

    func stop() {
        let isAsleep = inbox.withLock { inbox in
            guard !inbox.isStopped else { return false }
            inbox.isStopped = true
            inbox.commands.append(.stop)
            defer { inbox.isAsleep = false }
            return inbox.isAsleep
        }
        if isAsleep { waker.wake() }
    }
}

/// Carries a value to the one thread that is going to use it.
struct Unchecked<Value>: @unchecked Sendable {
    // Safe: the sender gives the value up.
    let value: Value

    init(_ value: Value) { self.value = value }
}
