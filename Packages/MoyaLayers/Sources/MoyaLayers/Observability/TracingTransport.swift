#if Tracing
    import Foundation
    import MoyaCore
    import Tracing

    /// A layer that creates a span for each request and propagates it to the server.
    private struct TracingTransport: Transport {
        let next: any Transport
        let tracer: any Tracer
        let redaction: Redaction

        var sessionHeaders: [String: String] { next.sessionHeaders }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            // No tracer was bootstrapped. Its spans and their attributes are not made.
            if tracer is NoOpTracer { return try await next.send(request) }
            let names = SemanticConventions(request: request)
            let span = tracer.startAnySpan(names.spanName, ofKind: .client)
            describe(request, names, in: span)
            return try await perform {
                let response = try await ServiceContext.withValue(span.context) {
                    var request = request
                    tracer.inject(span.context, into: &request, using: HeaderInjector())
                    return try await next.send(request)
                }
                // Recorded now, because a stream that breaks off reports only an error at its end.
                describe(.success(response), in: span)
                describeResends(
                    request.context.resendCount + response.metrics.redirectCount, in: span)
                return response
            } whenEnded: { outcome in
                describe(outcome, in: span)
                if case .failure(let error) = outcome {
                    span.recordError(Self.withoutSecrets(error))
                }
                span.end()
            }
        }

        /// Reduces `error` to its domain and code: its message, causes and URLs may contain
        /// secrets.
        private static func withoutSecrets(_ error: any Error) -> any Error {
            if let error = error as? URLError { return URLError(error.code) }
            let bridged = error as NSError
            return NSError(domain: bridged.domain, code: bridged.code)
        }

        private func describe(
            _ request: TransportRequest, _ names: SemanticConventions, in span: any Span
        ) {
            span.attributes["http.request.method"] = names.method
            if names.method == "_OTHER" {
                span.attributes["http.request.method_original"] = request.method
            }
            span.attributes["server.address"] = names.serverAddress
            span.attributes["server.port"] = names.serverPort
            span.attributes["url.full"] = request.urlRequest.url.map(redaction.redact(url:)) ?? ""
            describeResends(request.context.resendCount, in: span)
        }

        private func describeResends(_ count: Int, in span: any Span) {
            if count > 0 { span.attributes["http.request.resend_count"] = count }
        }

        private func describe(
            _ outcome: Result<TransportResponse, any Error>, in span: any Span
        ) {
            if case .success(let response) = outcome {
                span.attributes["http.response.status_code"] = response.head.statusCode
                span.attributes["network.protocol.version"] =
                    SemanticConventions.protocolVersion(response.head)
                if let address = response.metrics.remoteAddress {
                    span.attributes["network.peer.address"] = address
                }
            }
            if let type = SemanticConventions.errorType(outcome) {
                span.attributes["error.type"] = type
                span.setStatus(.init(code: .error))
            }
        }
    }

    /// Writes the tracer's propagation values into header fields, such as `traceparent` and
    /// `tracestate` of W3C Trace Context.
    private struct HeaderInjector: Injector {
        func inject(_ value: String, forKey key: String, into request: inout TransportRequest) {
            request.urlRequest.setValue(value, forHTTPHeaderField: key)
        }
    }

    extension Transport {
        /// Wraps this transport in a layer that creates a span for each request with
        /// swift-distributed-tracing. Requires the package trait `Tracing`.
        ///
        /// Spans have the names and attributes of OpenTelemetry's semantic conventions, with
        /// secrets in the URL masked. The span of a streamed response ends with the last byte, or
        /// when the reader stops. Around a layer that retries, a span is a call. Inside that layer,
        /// a span is an attempt, and `http.request.resend_count` counts the requests sent before
        /// it, with followed redirects. Of an error, the span records only the domain and code.
        public func tracing(
            with tracer: any Tracer = InstrumentationSystem.tracer, redaction: Redaction = .default
        ) -> some Transport {
            TracingTransport(next: self, tracer: tracer, redaction: redaction)
        }
    }
#endif
