import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer

extension TransportConformance {
    static let progressCases: [Case] = [
        Case("download progress rises to the announced length") { transport, server in
            let seen = Locked<[TransferProgress]>([])
            var request = try server.request("GET", "/bytes/2000000")
            request.progress = { progress in seen.withLock { $0.append(progress) } }
            _ = try await transport.send(request)
            let progress = seen.withLock { $0 }
            let counts = progress.map(\.bytesReceived)
            try expect(counts == counts.sorted(), "rising counts", counts)
            try expect(counts.last, 2_000_000, "the last count")
            try expect(progress.last?.bytesToReceive, 2_000_000, "the announced length")
            try expect(progress.count > 2, "several reports", progress.count)
        },
        Case("download progress without an announced length has no total") { _ in
            MockResponse(body: .chunked([pattern(1000), pattern(2000)]))
        } whenSent: { transport, server in
            let last = Locked<TransferProgress?>(nil)
            var request = try server.request("GET", "/")
            request.progress = { progress in last.withLock { $0 = progress } }
            _ = try await transport.send(request)
            try expect(last.withLock { $0?.bytesReceived }, 3000, "the last count")
            try expect(last.withLock { $0?.bytesToReceive }, nil, "the total")
        },
        Case("upload progress rises to the body's length") { transport, server in
            let seen = Locked<[TransferProgress]>([])
            var request = try server.request("POST", "/post", body: .data(pattern(3_000_000)))
            request.progress = { progress in seen.withLock { $0.append(progress) } }
            _ = try await transport.send(request)
            let counts = seen.withLock { $0 }.map(\.bytesSent)
            try expect(counts == counts.sorted(), "rising counts", counts)
            try expect(counts.last, 3_000_000, "the last count")
            try expect(seen.withLock { $0.last?.bytesToSend }, 3_000_000, "the total")
        },
    ]
}
