#if MockServer
    import Foundation
    import MoyaCore
    import MoyaMockServer

    extension TransportConformance {
        static func messageCases(_ version: SecureCase.Version) -> [SecureCase] {
            [
                version.secureCase("1 MiB is sent and received") { transport, setting in
                    let upload = try setting.request(
                        "POST", "/upload", body: .data(pattern(1 << 20)))
                    let receipt = try JSONDecoder().decode(
                        UploadReceipt.self, from: await transport.send(upload).bytes())
                    try expect(receipt.bodyLength, 1 << 20, "the length sent")
                    let download = try await transport.send(
                        setting.request("GET", "/bytes/\(1 << 20)"))
                    try expect(try download.bytes() == pattern(1 << 20), "the same bytes")
                },
                version.secureCase("informational responses are skipped") { transport, setting in
                    setting.server.enqueue(
                        MockResponse.text("hello").preceded(by: 102).preceded(
                            by: 103, headers: [HeaderField(name: "X-Early", value: "1")]))
                    let response = try await transport.send(setting.request())
                    try expect(response.head.statusCode, 200, "the status")
                    try expect(response.head.value(for: "X-Early"), nil, "the early field")
                    try expect(response.bytes(), Data("hello".utf8), "the body")
                },
                version.secureCase("trailers are separate from header fields") {
                    transport, setting in
                    setting.server.enqueue(MockResponse.text("hello").addingTrailer("X-Sum", "7"))
                    let response = try await transport.send(setting.request())
                    try expect(response.bytes(), Data("hello".utf8), "the body")
                    try expect(response.head.value(for: "X-Sum"), nil, "the header field")
                    // HTTP/2 requires names in lower case.
                    let name = version == .http2 ? "x-sum" : "X-Sum"
                    let trailers = [HeaderField(name: name, value: "7")]
                    try expect(response.trailers, trailers, "the trailers")
                },
                version.secureCase("a redirect is followed") { transport, setting in
                    setting.server.enqueue(.redirect(to: "/get"))
                    let response = try await transport.send(setting.request("GET", "/r"))
                    try expect(response.head.statusCode, 200, "the status")
                    try expect(response.head.url.path, "/get", "the path")
                },
                version.secureCase("a connection is reused", connections: 1) { transport, setting in
                    for _ in 0..<3 { _ = try await transport.send(setting.request()) }
                },
            ]
        }

        static func lossCases(_ version: SecureCase.Version) -> [SecureCase] {
            let phases: [(MockFault.Phase, String)] = [
                (.responseBody(after: 0), "after its head"),
                (.responseBody(after: 3), "within its body"),
            ]
            let actions: [(MockFault.Action, String)] = [
                (.close, "closed"), (.reset, "reset"), (.truncate, "cut off"),
            ]
            return phases.flatMap { phase, place in
                actions.map { action, what in
                    version.secureCase("a response that is \(what) \(place) is a lost connection") {
                        transport, setting in
                        setting.server.enqueue(.text("hello"))
                        setting.server.inject(MockFault(action, at: phase))
                        // A reset may overtake the head. A request with an idempotent method may be
                        // sent again then (RFC 9110, section 9.2.2).
                        try await expectError(.networkConnectionLost) {
                            try await transport.send(setting.request("POST"))
                        }
                    }
                }
            } + [
                version.secureCase("a stalled response times out") { transport, setting in
                    setting.server.enqueue(.text("hello"))
                    setting.server.inject(MockFault(.stall, at: .responseBody(after: 3)))
                    try await expectError(.timedOut) {
                        try await transport.send(setting.request(timeout: 0.4))
                    }
                },
                version.secureCase("a body cut off by invalid bytes is an error") {
                    transport, setting in
                    setting.server.enqueue(MockResponse(body: .data(pattern(1000))))
                    setting.server.inject(MockFault(.badChunk, at: .responseBody(after: 300)))
                    try await expectFailure { try await transport.send(setting.request()) }
                },
            ]
        }
    }

    extension TransportConformance.SecureCase.Version {
        /// A case over TLS with this version of HTTP. Its name begins with the version.
        fileprivate func secureCase(
            _ behaviour: String, connections: Int? = nil,
            _ body: @escaping TransportConformance.SecureCase.Body
        ) -> TransportConformance.SecureCase {
            .init("\(rawValue) over TLS: \(behaviour)", over: self, connections: connections, body)
        }
    }
#endif
