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
                Metrics.Timer(
                    label: "http.client.request.duration", dimensions: dimensions,
                    factory: factory
                ).recordNanoseconds(Int64(min(duration, 1e9) * 1e9))
                if let size = request.body.knownSize {
                    recorder("http.client.request.body.size", dimensions).record(size)
                }
                if case .success(let response) = outcome {
                    recorder("http.client.response.body.size", dimensions)
                        .record(response.metrics.bytesReceived)
                }
            }
        }

        private func active(_ request: TransportRequest) -> Meter {
            Meter(
                label: "http.client.active_requests",
                dimensions: SemanticConventions(request: request).requestDimensions,
                factory: factory)
        }

        private func recorder(_ label: String, _ dimensions: [(String, String)]) -> Recorder {
            Recorder(label: label, dimensions: dimensions, aggregate: true, factory: factory)
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
