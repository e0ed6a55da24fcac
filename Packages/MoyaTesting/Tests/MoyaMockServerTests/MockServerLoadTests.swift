import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@Suite struct MockServerLoadTests {
    @Test func `a server answers 10,000 requests over 64 connections`() async throws {
        let server = try MockServer { request in .text(request.target) }
        defer { server.stop() }
        let rounds = 10_000 / 64 + 1
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 0..<64 {
                group.addTask {
                    try await RawClient.connected(to: server.port) { client in
                        for round in 0..<rounds {
                            let target = "/\(id)/\(round)"
                            client.send("GET \(target) HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n")
                            let answer = try client.receive(until: target)
                            guard answer.hasPrefix("HTTP/1.1 200 ") else {
                                throw RawClient.Failure.reset
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(server.requests.count == rounds * 64)
        #expect(Set(server.requests.map(\.target)).count == rounds * 64)
        #expect(server.connectionCount == 64)
    }

    @Test func `a server holds 300 idle connections`() async throws {
        let server = try MockServer { _ in .text("x") }
        defer { server.stop() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<300 {
                group.addTask {
                    try await RawClient.connected(to: server.port) { client in
                        client.send("GET / HTTP/1.1\r\n\r\n")
                        _ = try client.receiveAll()
                    }
                }
            }
            _ = try await server.waitForRequests(300)
            #expect(server.openConnectionCount == 300)
            server.stop()
            try await group.waitForAll()
        }
        try await server.waitUntilDisconnected()
    }

    @Test func `a server sends 64 MiB`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let count = 64 << 20
        let (received, tail) = try await RawClient.connected(to: server.port) { client in
            client.send("GET /bytes/\(count) HTTP/1.1\r\nConnection: close\r\n\r\n")
            var received = 0
            var tail = Data()
            while true {
                let piece = try client.receive()
                if piece.isEmpty { return (received, tail) }
                received += piece.count
                tail = Data((tail + piece).suffix(512))
            }
        }
        #expect(received - count > 0 && received - count < 200)
        #expect(tail == Data((0..<512).map { UInt8($0 & 0xFF) }))
    }

    @Test func `a server receives 64 MiB`() async throws {
        let server = try MockServer { request in .text("\(request.body.count)") }
        defer { server.stop() }
        let count = 64 << 20
        let answer = try await RawClient.connected(to: server.port) { client in
            client.send("PUT / HTTP/1.1\r\nConnection: close\r\nContent-Length: \(count)\r\n\r\n")
            let piece = Data(count: 1 << 20)
            for _ in 0..<64 { client.send(piece) }
            return String(decoding: try client.receiveAll(), as: UTF8.self)
        }
        #expect(answer.hasSuffix("\r\n\r\n\(count)"))
        #expect(server.requests.map(\.bodyLength) == [count])
    }
}
