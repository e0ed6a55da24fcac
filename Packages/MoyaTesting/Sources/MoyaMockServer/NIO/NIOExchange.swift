#if MockServer
    import Foundation
    import NIOCore

    /// What writes a response in one version of HTTP.
    protocol ResponseWriter: AnyObject {
        /// Sends what one step of a script says. The future ends when it is on its way.
        func perform(
            _ step: ResponseScript.Step, of response: MockResponse, to request: MockRequest
        ) -> EventLoopFuture<Void>
        /// Tells a client that waits for it to go on with its body.
        func sendContinue()
        /// Does what a fault says to the exchange or its connection.
        func perform(_ action: MockFault.Action)
    }

    /// One request and its response, on the event loop of its connection, whatever version of HTTP it came in.
    final class NIOExchange: @unchecked Sendable {
        // Safe: touched on its channel's event loop alone.

        private let core: NIOServerCore
        private let control: ConnectionControl
        private let writer: any ResponseWriter
        private let whenAnswered: () -> Void
        private var request: MockRequest
        private var fault: MockFault?
        private var isBroken = false

        /// - Parameter whenAnswered: Called once the response is on its way. Not at all if a fault ended it.
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
            fault = core.takeFault(for: request)
            if fails(at: .requestStart) { return }
            if request.value(for: "Expect")?.lowercased() == "100-continue" {
                writer.sendContinue()
            }
        }

        func receive(_ bytes: ByteBuffer) {
            guard !isBroken, !fails(at: .requestBody) else { return }
            request.body.append(contentsOf: bytes.readableBytesView)
        }

        func receiveEnd() {
            guard !isBroken, !fails(at: .requestBody) else { return }
            request.bodyLength = request.body.count
            core.record.add(request)
            core.answer(request, on: control.channel.eventLoop) { response in
                guard self.control.channel.isActive, !self.control.isDead else { return }
                let script = ResponseScript(
                    response, fault: self.fault, isBodiless: response.isBodiless(for: self.request))
                self.play(script, response)
            }
        }

        /// Does what the fault says, once, if this is its moment.
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
                    // Anew, so that many pieces make no deep stack.
                    loop.execute { self.play(rest, response) }
                }
            }
        }
    }
#endif
