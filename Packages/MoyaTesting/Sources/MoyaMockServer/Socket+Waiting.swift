import Foundation

extension Socket {
    enum Input {
        case first, second, nothing
    }

    /// Waits until one of the sockets is readable or closed. Returns the second if both are. A
    /// timeout of -1 milliseconds waits forever.
    static func waitForInput(
        on first: Socket, or second: Socket? = nil, milliseconds: Int32
    ) -> Input {
        // `poll` ignores negative descriptors.
        var entries = [first, second].map {
            pollfd(fd: $0?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
        }
        guard poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return .nothing }
        return entries[1].revents != 0 ? .second : .first
    }

    /// Waits until the peer has disconnected or the socket has been shut down. Returns `false` if
    /// neither happens within `seconds`.
    func waitForDisconnect(seconds: TimeInterval) -> Bool {
        let end = Date(timeIntervalSinceNow: seconds)
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let rest = end.timeIntervalSinceNow
            guard rest > 0 else { return false }
            entry.revents = 0
            _ = poll(&entry, 1, Int32(min(rest * 1000 + 1, 60_000)))
            let hasEnded = Int32(entry.revents) & (POLLHUP | POLLERR | POLLNVAL) != 0
            if hasEnded { return true }
            guard Int32(entry.revents) & POLLIN != 0 else { continue }
            var byte: UInt8 = 0
            let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            if count == 0 { return true }
            // The peer has sent data, which stays for a later read. From now on, only wait for the
            // end of the connection.
            entry.events = 0
        }
    }

    /// Creates a pipe.
    static func pipe() throws -> (reader: Socket, writer: Socket) {
        var descriptors: [Int32] = [-1, -1]
        guard platformPipe(&descriptors) == 0 else { throw SocketError.last("pipe") }
        for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return (Socket(descriptor: descriptors[0]), Socket(descriptor: descriptors[1]))
    }

    /// Writes a byte into a pipe.
    func writeByte() {
        var byte: UInt8 = 1
        _ = platformWrite(descriptor, &byte, 1)
    }
}

// Inside `Socket`, methods of the same names would hide the C functions.
private let platformWrite: @Sendable (Int32, UnsafeRawPointer, Int) -> Int = { write($0, $1, $2) }
private let platformPipe: @Sendable (UnsafeMutablePointer<Int32>) -> Int32 = { pipe($0) }
