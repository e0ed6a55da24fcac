#if MockServer
    import Foundation

    /// Something that goes wrong on the way, for ``NIOMockServer``.
    ///
    /// ```swift
    /// server.inject(MockFault(.reset, at: .responseBody(after: 1000)), times: 2)
    /// ```
    public struct MockFault: Sendable {
        /// When it goes wrong.
        public enum Phase: Sendable, Equatable {
            /// In place of the TLS handshake. Without TLS, at the first byte.
            case handshake
            /// When the header fields of the request are there.
            case requestStart
            /// When the first bytes of the request's body are there, or its end where it has none.
            case requestBody
            /// In place of the response.
            case responseStart
            /// After so many bytes of the response's body.
            case responseBody(after: Int)
            /// After the response's body, in place of what ends it: the last chunk, END_STREAM.
            case responseEnd
        }

        /// What goes wrong. Unless it says otherwise, nothing more is sent after it.
        public struct Action: Sendable, Equatable {
            enum Kind: Equatable {
                case close, halfClose, reset, stall, truncate, failHandshake
                case garbage(Data)
                case badChunk
                case goAway(code: UInt32, isProcessed: Bool)
                case resetStream(code: UInt32)
            }

            let kind: Kind

            /// The connection is closed.
            public static let close = Action(kind: .close)
            /// The server's half of the connection is closed. The client's stays open.
            public static let halfClose = Action(kind: .halfClose)
            /// The connection is reset (TCP's RST).
            public static let reset = Action(kind: .reset)
            /// The connection stays open, and nothing more comes.
            public static let stall = Action(kind: .stall)
            /// The message ends here as if it were whole: the connection is closed, or in HTTP/2 the stream ended.
            public static let truncate = Action(kind: .truncate)
            /// A fatal TLS alert (RFC 8446, section 6), and the end of the connection. For ``Phase/handshake``.
            public static let failHandshake = Action(kind: .failHandshake)
            /// A chunk without a size, or in HTTP/2 a DATA frame of no stream, and the end of the connection.
            public static let badChunk = Action(kind: .badChunk)
            /// Bytes that are neither HTTP nor, in place of a handshake, TLS, and the end of the connection.
            public static let garbage = garbage(Data(repeating: 0xFF, count: 64))

            /// These bytes, and the end of the connection.
            public static func garbage(_ bytes: Data) -> Action { Action(kind: .garbage(bytes)) }

            /// A GOAWAY frame (RFC 9113, section 6.8). HTTP/1.1 has none: the connection is closed.
            ///
            /// - Parameter isProcessed: Whether the frame counts this request among those that are answered. The
            ///   response goes on then; otherwise the client may send the request again elsewhere.
            public static func goAway(code: UInt32 = 0, isProcessed: Bool = true) -> Action {
                Action(kind: .goAway(code: code, isProcessed: isProcessed))
            }

            /// An RST_STREAM frame (RFC 9113, section 6.4). HTTP/1.1 has none: the connection is reset.
            public static func resetStream(code: UInt32 = 2) -> Action {
                Action(kind: .resetStream(code: code))
            }

            /// Whether the exchange goes on afterwards.
            var continues: Bool {
                if case .goAway(_, isProcessed: true) = kind { true } else { false }
            }
        }

        /// What goes wrong.
        public var action: Action
        /// When it goes wrong.
        public var phase: Phase

        /// Nothing goes wrong before ``NIOMockServer/inject(_:times:where:)`` has it.
        public init(_ action: Action, at phase: Phase) {
            self.action = action
            self.phase = phase
        }
    }

    /// The faults that are still to come.
    struct FaultList {
        private struct Entry {
            let fault: MockFault
            let applies: @Sendable (MockRequest) -> Bool
            var timesLeft: Int
        }

        private var entries: [Entry] = []

        mutating func add(
            _ fault: MockFault, _ times: Int, _ applies: @escaping @Sendable (MockRequest) -> Bool
        ) {
            guard times > 0 else { return }
            entries.append(Entry(fault: fault, applies: applies, timesLeft: times))
        }

        /// The fault of a connection that begins.
        mutating func takeForHandshake() -> MockFault.Action? {
            take { $0.fault.phase == .handshake }?.action
        }

        /// The fault of a request whose head is there.
        mutating func take(for request: MockRequest) -> MockFault? {
            take { $0.fault.phase != .handshake && $0.applies(request) }
        }

        private mutating func take(where isWanted: (Entry) -> Bool) -> MockFault? {
            guard let index = entries.firstIndex(where: isWanted) else { return nil }
            entries[index].timesLeft -= 1
            let fault = entries[index].fault
            if entries[index].timesLeft == 0 { entries.remove(at: index) }
            return fault
        }
    }
#endif
