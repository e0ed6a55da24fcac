#if MockServer
    import Foundation
    import MoyaCore
    import MoyaMockServer

    extension TransportConformance {
        static let http2Cases: [SecureCase] = [
            SecureCase("HTTP/2: concurrent requests share a connection", connections: 1) {
                transport, setting in
                _ = try await transport.send(setting.request())
                try await withThrowingTaskGroup(of: Data.self) { group in
                    for index in 0..<20 {
                        let request = try setting.request("GET", "/bytes/\(index * 1000)")
                        group.addTask { try await transport.send(request).bytes() }
                    }
                    let counts = try await group.reduce(into: []) { $0.append($1.count) }
                    try expect(counts.sorted(), (0..<20).map { $0 * 1000 }, "the lengths")
                }
            },
            SecureCase("HTTP/2: 24 KiB of response fields arrive", connections: 1) {
                transport, setting in
                // RFC 9113, section 6.5.2: a header list has no limit, unless a peer announces one.
                // The code of "e" has 5 bits (RFC 7541, appendix B), so the fields fit into one
                // frame of 16 KiB.
                let value = String(repeating: "e", count: 6 << 10)
                let fields = (0..<4).map { HeaderField(name: "x-\($0)", value: value) }
                for _ in 0..<2 {
                    setting.server.enqueue(
                        MockResponse(headers: fields, body: .data(Data("hello".utf8))))
                    let response = try await transport.send(setting.request())
                    for field in fields {
                        try expect(
                            response.head.value(for: field.name)?.count, value.count, field.name)
                    }
                    try expect(response.bytes(), Data("hello".utf8), "the body")
                }
            },
            SecureCase(
                "HTTP/2: a stream reset fails its stream alone as a lost connection", connections: 1
            ) { transport, setting in
                for phase in [MockFault.Phase.responseStart, .responseBody(after: 3)] {
                    setting.server.enqueue(.text("hello"))
                    setting.server.inject(MockFault(.resetStream(), at: phase))
                    try await expectError(.networkConnectionLost) {
                        try await transport.send(setting.request())
                    }
                    // The connection still serves requests.
                    _ = try await transport.send(setting.request())
                }
            },
            SecureCase("HTTP/2: a response in progress arrives after a GOAWAY", connections: 2) {
                transport, setting in
                setting.server.enqueue(.text("hello"), .text("again"))
                setting.server.inject(MockFault(.goAway(), at: .responseBody(after: 3)))
                let first = try await transport.send(setting.request())
                try expect(first.bytes(), Data("hello".utf8), "the body")
                let second = try await transport.send(setting.request())
                try expect(second.bytes(), Data("again".utf8), "the body")
            },
            SecureCase(
                "HTTP/2: a request that a GOAWAY excludes is sent again or fails", connections: 2
            ) { transport, setting in
                _ = try await transport.send(setting.request())
                setting.server.inject(MockFault(.goAway(isProcessed: false), at: .requestStart))
                do {
                    let response = try await transport.send(setting.request())
                    try expect(response.head.statusCode, 200, "the status")
                } catch let error as URLError {
                    try expect(error.code, .networkConnectionLost, "the code")
                }
                // The client must not use a connection after a GOAWAY.
                let response = try await transport.send(setting.request())
                try expect(response.head.statusCode, 200, "the status")
            },
            // RFC 9113, section 8.7: the server has not processed the request.
            SecureCase("HTTP/2: a POST is sent again after REFUSED_STREAM") {
                transport, setting in
                try await expectRepetition(after: .resetStream(code: 7), transport, setting)
            },
            SecureCase("HTTP/2: a POST is sent again after a GOAWAY that excludes it") {
                transport, setting in
                try await expectRepetition(after: .goAway(isProcessed: false), transport, setting)
            },
            SecureCase(
                "HTTP/2: a cancelled request leaves the connection open for others", connections: 1
            ) { transport, setting in
                _ = try await transport.send(setting.request())
                let request = try setting.request("GET", "/slow")
                // Two requests, because a transport may close a silent connection with its only
                // request.
                let tasks = [0, 1].map { _ in
                    setting.server.enqueue(MockResponse.text("never").delayed(by: 6000))
                    return Task { try await transport.send(request) }
                }
                defer { tasks[1].cancel() }
                _ = try await setting.server.waitForRequests(3)
                tasks[0].cancel()
                try await expectError(.cancelled) { try await tasks[0].value }
                _ = try await transport.send(setting.request())
            },
        ]

        private static func expectRepetition(
            after refusal: MockFault.Action, _ transport: any Transport, _ setting: Setting
        ) async throws {
            setting.server.inject(MockFault(refusal, at: .requestStart))
            let request = try setting.request("POST", "/upload", body: .data(pattern(1000)))
            let response = try await transport.send(request)
            let receipt = try JSONDecoder().decode(UploadReceipt.self, from: response.bytes())
            try expect(receipt.bodyLength, 1000, "the length sent")
            try expect(setting.server.requests.count, 1, "the number of processed requests")
        }
    }
#endif
