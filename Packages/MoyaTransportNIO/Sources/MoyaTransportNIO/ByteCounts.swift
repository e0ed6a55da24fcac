#if AsyncHTTPClient
    import MoyaCore
    import NIOConcurrencyHelpers
    import NIOCore

    /// Counts the bytes of an exchange and reports them.
    final class ByteCounts: Sendable {
        private struct State {
            var progress: TransferProgress
            /// Number of the current attempt to send the request.
            var attempt = 1
            /// Bytes of the request body sent in the current attempt.
            var attemptBytes: Int64 = 0
        }

        private let state: NIOLockedValueBox<State>
        private let start = NIODeadline.now()
        private let report: (@Sendable (TransferProgress) -> Void)?

        init(toSend: Int64?, report: (@Sendable (TransferProgress) -> Void)?) {
            state = NIOLockedValueBox(State(progress: TransferProgress(bytesToSend: toSend)))
            self.report = report
        }

        /// Records the value of `Content-Length`.
        func expect(_ length: String?) {
            state.withLockedValue { $0.progress.bytesToReceive = length.flatMap { Int64($0) } }
        }

        var attempt: Int { state.withLockedValue { $0.attempt } }

        /// Starts counting the request body of another attempt.
        func startAgain() {
            state.withLockedValue { state in
                state.attempt += 1
                state.attemptBytes = 0
            }
        }

        /// Counts bytes of the request body, unless another attempt has started.
        func send(_ count: Int, by attempt: Int) {
            state.withLockedValue { state in
                guard attempt == state.attempt else { return }
                state.attemptBytes += Int64(count)
                guard state.attemptBytes > state.progress.bytesSent else { return }
                state.progress.bytesSent = state.attemptBytes
                // Reported under the lock, because request and response bodies may progress at the
                // same time and reports must stay in order.
                report?(state.progress)
            }
        }

        func receive(_ count: Int) {
            state.withLockedValue { state in
                state.progress.bytesReceived += Int64(count)
                report?(state.progress)
            }
        }

        /// Returns the metrics up to now.
        func metrics(of answer: Answer) -> TransportMetrics {
            let progress = state.withLockedValue { $0.progress }
            var metrics = TransportMetrics()
            metrics.firstByte = (answer.start - start).seconds
            metrics.total = (NIODeadline.now() - start).seconds
            metrics.bytesSent = progress.bytesSent
            metrics.bytesReceived = progress.bytesReceived
            metrics.protocolName = answer.protocolName
            return metrics
        }
    }

    extension TimeAmount {
        fileprivate var seconds: Double { Double(nanoseconds) / 1e9 }
    }
#endif
