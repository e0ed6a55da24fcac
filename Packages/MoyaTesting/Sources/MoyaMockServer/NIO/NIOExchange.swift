#if MockServer
    import Foundation
    import NIOCore

    /// Writes responses in one version of HTTP.
    protocol ResponseWriter: AnyObject {
        /// Performs one step of a script. The future succeeds when the bytes are written.
        func perform(
            _ step: ResponseScript.Step, of response: MockResponse, to request: MockRequest
        ) -> EventLoopFuture<Void>
        /// Sends 100 Continue.
        func sendContinue()
        /// Performs a fault on the exchange or its connection.
        func perform(_ action: MockFault.Action)
    }

    /// One request and its response, for any version of HTTP. Used only on the connection's event
    /// loop.
    final class NIOExchange: @unchecked Sendable {
        // Safe: used only on the channel's event loop.

        private let core: NIOServerCore
        private let control: ConnectionControl
        private let writer: any ResponseWriter
        private let whenAnswered: () -> Void
        private var request: MockRequest
        private var fault: MockFault?
        private var isBroken = false

        /// - Parameter whenAnswered: Called when the response is written. Not called if a fault
        ///   ends the exchange.
        init(
            _ head: MockRequest, _ core: NIOServerCore, _ control: ConnectionControl,
            _ writer: any ResponseWriter, whenAnswered: @escaping () -> Void
        ) {
            self.core = core
            self.control = control
            self.writer = writer
            self.whenAnswered = whenAnswered
            request = head
        }

        func begin() {
            fault = core.faults.withLock { $0.take(for: request) }
            if fails(at: .requestStart) { return }
            if let length = request.value(for: "Content-Length").flatMap(Int.init),
                length > ReceiveBuffer.bodyLimit
            {
                return refuse()
            }
            if request.value(for: "Expect")?.lowercased() == "100-continue" {
                writer.sendContinue()
            }
        }

        func receive(_ bytes: ByteBuffer) {
            guard !isBroken, !fails(at: .requestBody) else { return }
            guard bytes.readableBytes <= ReceiveBuffer.bodyLimit - request.body.count else {
                return refuse()
            }
            request.body.append(contentsOf: bytes.readableBytesView)
        }

        /// Responds to a request with a body over the limit, and ignores the rest of the body.
        private func refuse() {
            isBroken = true
            request.body = Data()
            var response = MockResponse.text("Too large.", status: 413)
            // Closing a socket with unread bytes would send a reset, which may overtake the
            // response.
            if request.protocolName != "h2" { response = response.ending(.halfClose) }
            play(ResponseScript(response, fault: nil, isBodiless: false), response)
        }

        func receiveEnd() {
            guard !isBroken, !fails(at: .requestBody) else { return }
            request.bodyLength = request.body.count
            core.answer(request, on: control.channel.eventLoop) { response in
                guard self.control.channel.isActive, !self.control.isDead else { return }
                let script = ResponseScript(
                    response, fault: self.fault, isBodiless: response.isBodiless(for: self.request))
                self.play(script, response)
            }
        }

        /// Performs the fault if `phase` is its time. Returns whether the exchange is over.
        private func fails(at phase: MockFault.Phase) -> Bool {
            guard let fault, fault.phase == phase else { return false }
            self.fault = nil
            isBroken = !fault.action.continues
            writer.perform(fault.action)
            return isBroken
        }

        private func play(_ script: ResponseScript, _ response: MockResponse) {
            var script = script
            guard control.channel.isActive, let step = script.next() else { return whenAnswered() }
            let rest = script
            let loop = control.channel.eventLoop
            switch step {
            case .pause(let seconds):
                loop.scheduleTask(in: .nanoseconds(Int64(min(seconds, 1e6) * 1e9))) {
                    self.play(rest, response)
                }
            case .fault(let action):
                writer.perform(action)
                if action.continues { play(rest, response) }
            default:
                writer.perform(step, of: response, to: request).whenComplete { result in
                    guard case .success = result else { return }
                    // In a new event loop tick: recursion would make the stack grow with the number
                    // of pieces.
                    loop.execute { self.play(rest, response) }
                }
            }
        }
    }
#endif
