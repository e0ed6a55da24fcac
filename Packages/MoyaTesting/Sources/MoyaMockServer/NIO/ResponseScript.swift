#if MockServer
    import Foundation

    /// Sequence of steps that send a response, including pauses and faults. Makes the pieces of a
    /// body on demand, so that large bodies take no memory.
    struct ResponseScript: IteratorProtocol {
        enum Step: Equatable {
            case pause(TimeInterval)
            /// Informational responses, status line and header fields.
            case head
            case body(Data)
            /// End of the message: the last chunk, END_STREAM, trailers.
            case end
            /// Bytes in place of a message.
            case raw(Data)
            case fault(MockFault.Action)
            /// Behaviour of the connection after the response.
            case finish(MockResponse.End)
        }

        private enum Part {
            case start, body, end, over
        }

        private let response: MockResponse
        private let fault: MockFault?
        private let isBodiless: Bool
        private var part = Part.start
        private var ready: [Step] = []
        private var pieces: BodyPieces
        /// Rest of a piece that a fault or the body limit has cut.
        private var carry = Data()
        private var sentCount = 0
        /// Number of body bytes after which the fault is due.
        private var faultPlace: Int?

        init(_ response: MockResponse, fault: MockFault?, isBodiless: Bool) {
            self.response = response
            self.fault = fault
            self.isBodiless = isBodiless
            pieces = BodyPieces(response)
            if case .responseBody(let count) = fault?.phase { faultPlace = max(0, count) }
        }

        mutating func next() -> Step? {
            while ready.isEmpty {
                switch part {
                case .start: start()
                case .body: continueBody()
                case .end: end()
                case .over: return nil
                }
            }
            return ready.removeFirst()
        }

        private mutating func start() {
            if response.delay > 0 { ready.append(.pause(response.delay)) }
            if let fault, fault.phase == .responseStart {
                ready.append(.fault(fault.action))
                guard fault.action.continues else { return part = .over }
            }
            if let bytes = response.rawBytes {
                ready += [.raw(bytes), .finish(response.end)]
                return part = .over
            }
            ready.append(.head)
            part = isBodiless ? .end : .body
            if !isBodiless, response.bodyDelay > 0 { ready.append(.pause(response.bodyDelay)) }
        }

        private mutating func continueBody() {
            if let faultPlace, sentCount >= faultPlace { return failBody() }
            guard sentCount < response.bodyLimit else {
                ready.append(.finish(response.end))
                return part = .over
            }
            if carry.isEmpty {
                guard let piece = pieces.next() else {
                    // The body ended before the position of the fault.
                    return faultPlace == nil ? part = .end : failBody()
                }
                if piece.pause > 0 { ready.append(.pause(piece.pause)) }
                carry = piece.bytes
            }
            let bytes = carry.prefix(min(response.bodyLimit, faultPlace ?? .max) - sentCount)
            carry = carry.dropFirst(bytes.count)
            sentCount += bytes.count
            ready.append(.body(bytes))
        }

        private mutating func failBody() {
            faultPlace = nil
            guard let fault else { return }
            ready.append(.fault(fault.action))
            if !fault.action.continues { part = .over }
        }

        private mutating func end() {
            part = .over
            if let fault, fault.phase == .responseEnd {
                ready.append(.fault(fault.action))
                guard fault.action.continues else { return }
            }
            if response.endDelay > 0, !isBodiless { ready.append(.pause(response.endDelay)) }
            ready += [.end, .finish(response.end)]
        }
    }
#endif
