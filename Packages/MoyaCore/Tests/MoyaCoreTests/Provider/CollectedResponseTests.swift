import Foundation
import MoyaCore
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct CollectedResponseTests {
    /// Returns a stream whose body has already been received completely.
    private struct StreamingTransport: Transport {
        let metrics: TransportMetrics

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let channel = ResponseBodyWriter(resume: {}, stop: {})
            _ = Data("body".utf8).withUnsafeBytes { channel.offer($0) }
            channel.finish(.success(ResponseBodyWriter.Ending(trailers: [], metrics: metrics)))
            return TransportResponse(
                head: ResponseHead(
                    statusCode: 200, url: request.urlRequest.url ?? AnyTarget().baseURL),
                body: .stream(ResponseBodyStream(channel)))
        }
    }

    @Test
    func
        `A collected response has the metrics that the transport measured until the end of the body`()
        async throws
    {
        var metrics = TransportMetrics()
        metrics.total = 3
        metrics.bytesReceived = 4
        let provider = MoyaProvider<AnyTarget>(transport: StreamingTransport(metrics: metrics))
        let response = try await provider.stream(AnyTarget()).collect()
        #expect(response.metrics?.total == 3)
        #expect(response.metrics?.bytesReceived == 4)
    }

    @Test func `A ResponseBodyWriter without a reader buffers 256 KiB and refuses the next byte`() {
        let channel = ResponseBodyWriter(resume: {}, stop: {})
        let half = Data(count: 128 << 10)
        #expect(half.withUnsafeBytes { channel.offer($0) })
        #expect(half.withUnsafeBytes { channel.offer($0) })
        #expect(!Data(count: 1).withUnsafeBytes { channel.offer($0) })
    }
}
