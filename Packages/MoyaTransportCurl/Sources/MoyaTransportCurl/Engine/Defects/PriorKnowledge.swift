#if CURL
// Versions: before 8.0.0.
// Test: PriorKnowledgeTests.
// Without them: this file, and its use in `CurlHandle.setVersion`. `CurlDriver.start` then asks
//   whether `httpVersion` is `http2PriorKnowledge`.

import Foundation

/// Connections with HTTP/2 prior knowledge over `http`. libcurl before 8.0 fails every request
/// after the first on such a connection, so each request has one of its own.
enum PriorKnowledge {
    /// Whether a connection may carry several requests.
    static func sharesConnections(
        _ version: CurlTransport.Configuration.HTTPVersion, isSecure: Bool
    ) -> Bool {
        isSecure || version != .http2PriorKnowledge || CurlLibrary.version >= 0x080000
    }

    /// Whether the connections to `url` are known to be multiplexed before the server responds.
    static func sharesFromTheStart(
        _ version: CurlTransport.Configuration.HTTPVersion, _ url: URL?
    ) -> Bool {
        version == .http2PriorKnowledge
            && sharesConnections(version, isSecure: url?.scheme?.lowercased() == "https")
    }
}
#endif
