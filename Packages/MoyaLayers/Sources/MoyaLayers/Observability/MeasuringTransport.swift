#if Metrics
    import Foundation
    import Metrics
    import MoyaCore

    /// Metrics with the names of OpenTelemetry's semantic conventions for HTTP clients.
    private struct ExchangeMetrics: Sendable {
        let factory: any MetricsFactory

        func record(_ event: ExchangeEvent) {
            switch event {
            case .began(let request): active(request).increment()
            case .ended(let request, let outcome, let duration):
                active(request).decrement()
                let dimensions = SemanticConventions(request: request).dimensions(of: outcome)
                timer("http.client.request.duration", dimensions, duration)
                if let size = request.body.knownSize {
                    recorder("http.client.request.body.size", dimensions).record(size)
                }
                if case .success(let response) = outcome {
                    recorder("http.client.response.body.size", dimensions)
                        .record(response.metrics.bytesReceived)
                }
            case .retrying(let request, let outcome, _):
                let names = SemanticConventions(request: request)
                let reason = SemanticConventions.errorType(outcome).map { [("error.type", $0)] }
                Counter(
                    label: "moya.client.retries",
                    dimensions: names.requestDimensions + (reason ?? []), factory: factory
                ).increment()
            case .queued(let request, _): queued(request).increment()
            case .dequeued(let request, _, let wait):
                queued(request).decrement()
                let names = SemanticConventions(request: request)
                timer("http.client.request.time_in_queue", names.requestDimensions, wait)
            case .connection(let origin, let state, let previous):
                recordConnection(state, previous, SemanticConventions.dimensions(ofOrigin: origin))
            case .circuit(let origin, let state):
                meter(
                    "moya.client.circuit_breaker.open",
                    SemanticConventions.dimensions(ofOrigin: origin)
                ).set(state == .closed ? 0 : 1)
            case .refreshEnded(let error, let duration):
                let type = error.flatMap { SemanticConventions.errorType(.failure($0)) }
                timer(
                    "moya.client.token_refresh.duration", type.map { [("error.type", $0)] } ?? [],
                    duration)
            case .exchanged, .refreshBegan: break
            }
        }

        private func recordConnection(
            _ state: ExchangeEvent.ConnectionState, _ previous: ExchangeEvent.ConnectionState?,
            _ dimensions: [(String, String)]
        ) {
            func open(_ state: String) -> Meter {
                meter(
                    "http.client.open_connections",
                    dimensions + [("http.connection.state", state)])
            }
            if let name = previous?.name { open(name).decrement() }
            if let name = state.name { open(name).increment() }
            if case .closed(let lifetime) = state {
                timer("http.client.connection.duration", dimensions, lifetime)
            }
        }

        private func active(_ request: TransportRequest) -> Meter {
            meter(
                "http.client.active_requests",
                SemanticConventions(request: request).requestDimensions)
        }

        private func queued(_ request: TransportRequest) -> Meter {
            meter(
                "moya.client.queued_requests",
                SemanticConventions(request: request).requestDimensions)
        }

        private func meter(_ label: String, _ dimensions: [(String, String)]) -> Meter {
            Meter(label: label, dimensions: dimensions, factory: factory)
        }

        private func timer(
            _ label: String, _ dimensions: [(String, String)], _ seconds: TimeInterval
        ) {
            Metrics.Timer(label: label, dimensions: dimensions, factory: factory)
                .recordNanoseconds(Int64(min(seconds, 1e9) * 1e9))
        }

        private func recorder(_ label: String, _ dimensions: [(String, String)]) -> Recorder {
            Recorder(label: label, dimensions: dimensions, aggregate: true, factory: factory)
        }
    }

    extension ExchangeEvent.ConnectionState {
        /// Value of `http.connection.state`. `nil` for a closed connection.
        fileprivate var name: String? {
            switch self {
            case .active: "active"
            case .idle: "idle"
            case .closed: nil
            }
        }
    }

    extension Transport {
        /// Wraps this transport in a layer that records metrics with swift-metrics. Requires the
        /// package trait `Metrics`.
        ///
        /// The metrics are the timer `http.client.request.duration`, the meter
        /// `http.client.active_requests` and the recorders `http.client.request.body.size` and
        /// `http.client.response.body.size`, in bytes. Their dimensions are those of
        /// OpenTelemetry's semantic conventions, without URLs.
        ///
        /// Layers and a transport inside this layer add the counter `moya.client.retries`, the
        /// meters `moya.client.queued_requests`, `moya.client.circuit_breaker.open` (1 unless the
        /// circuit is closed) and `http.client.open_connections`, and the timers
        /// `http.client.request.time_in_queue`, `http.client.connection.duration` and
        /// `moya.client.token_refresh.duration`: see `ExchangeEvent`.
        public func measuring(
            with factory: any MetricsFactory = MetricsSystem.factory,
            clock: any MoyaClock = .system
        ) -> some Transport {
            // No metrics system was bootstrapped. Labels and dimensions are not made.
            let isIdle = factory is NOOPMetricsHandler
            return observing(
                clock: clock, if: { !isIdle }, ExchangeMetrics(factory: factory).record)
        }
    }
#endif
