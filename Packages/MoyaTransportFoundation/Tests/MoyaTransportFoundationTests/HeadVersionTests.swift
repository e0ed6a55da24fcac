import MoyaCore
import Testing

@testable import MoyaTransportFoundation

// The names are ALPN identifiers (RFC 7301, section 6). The versions are those of CurlTransport.
@Suite struct HeadVersionTests {
    @Test(arguments: [
        ("http/1.0", "HTTP/1.0"), ("http/1.1", "HTTP/1.1"), ("h2", "HTTP/2"), ("h3", "HTTP/3"),
        (nil, "HTTP/1.1"),
    ])
    func `A response's version is that of the session's metrics, and HTTP 1.1 without any`(
        name: String?, version: String
    ) {
        var metrics = TransportMetrics()
        metrics.protocolName = name
        #expect(metrics.httpVersion == version)
    }
}
