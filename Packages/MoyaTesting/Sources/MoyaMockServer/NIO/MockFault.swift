#if MockServer
    import Foundation

    /// A fault of a ``NIOMockServer``.
    ///
    /// ```swift
    /// server.inject(MockFault(.reset, at: .responseBody(after: 1000)), times: 2)
    /// ```
    public struct MockFault: Sendable {
        /// Time of the fault.
        public enum Phase: Sendable, Equatable {
            /// In place of the TLS handshake. Without TLS, at the first byte.
            case handshake
            /// After the header section of the request.
            case requestStart
            /// At the first bytes of the request body, or at the end of a request without a body.
            case requestBody
            /// In place of the response.
            case responseStart
            /// After this number of bytes of the response body.
            case responseBody(after: Int)
            /// After the response body, in place of the end of the message: the last chunk, or
            /// END_STREAM.
            case responseEnd
        }

        /// Effect of the fault. Unless stated otherwise, the server sends nothing more afterwards.
        public struct Action: Sendable, Equatable {
            enum Kind: Equatable {
                case close, halfClose, reset, stall, truncate, failHandshake
                case garbage(Data)
                case badChunk
                case goAway(code: UInt32, isProcessed: Bool)
                case resetStream(code: UInt32)
            }

            let kind: Kind

            /// Closes the connection.
            public static let close = Action(kind: .close)
            /// Closes the sending side of the connection. The client's side stays open.
            public static let halfClose = Action(kind: .halfClose)
            /// Resets the connection (TCP RST).
            public static let reset = Action(kind: .reset)
            /// Keeps the connection open and sends nothing more.
            public static let stall = Action(kind: .stall)
            /// Ends the message early, as if it were complete: closes the connection, or ends the
            /// stream in HTTP/2.
            public static let truncate = Action(kind: .truncate)
            /// Sends a fatal TLS alert (RFC 8446, section 6) and closes the connection. For
            /// ``Phase/handshake``.
            public static let failHandshake = Action(kind: .failHandshake)
            /// Sends an invalid chunk size, or in HTTP/2 a DATA frame on stream 0, and closes the
            /// connection.
            public static let badChunk = Action(kind: .badChunk)
            /// Sends bytes that are neither HTTP nor TLS, and closes the connection.
            public static let garbage = garbage(Data(repeating: 0xFF, count: 64))

            /// Sends these bytes and closes the connection.
            public static func garbage(_ bytes: Data) -> Action { Action(kind: .garbage(bytes)) }

            /// Sends a GOAWAY frame (RFC 9113, section 6.8). In HTTP/1.1, closes the connection.
            ///
            /// - Parameters:
            ///   - code: Error code of the frame.
            ///   - isProcessed: Whether the frame lists this request as processed. If so, the
            ///     response continues. Otherwise the client may retry the request on another
            ///     connection.
            public static func goAway(code: UInt32 = 0, isProcessed: Bool = true) -> Action {
                Action(kind: .goAway(code: code, isProcessed: isProcessed))
            }

            /// Sends an RST_STREAM frame (RFC 9113, section 6.4). In HTTP/1.1, resets the
            /// connection.
            public static func resetStream(code: UInt32 = 2) -> Action {
                Action(kind: .resetStream(code: code))
            }

            /// Whether the exchange continues afterwards.
            var continues: Bool {
                if case .goAway(_, isProcessed: true) = kind { true } else { false }
            }
        }

        /// Effect of the fault.
        public var action: Action
        /// Time of the fault.
        public var phase: Phase

        /// Creates a fault. ``NIOMockServer/inject(_:times:where:)`` activates it.
        public init(_ action: Action, at phase: Phase) {
            self.action = action
            self.phase = phase
        }
    }

    /// Faults that are injected and not used up.
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

        /// Takes the fault for a new connection.
        mutating func takeForHandshake() -> MockFault.Action? {
            take { $0.fault.phase == .handshake }?.action
        }

        /// Takes the fault for a request whose header section has arrived.
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
