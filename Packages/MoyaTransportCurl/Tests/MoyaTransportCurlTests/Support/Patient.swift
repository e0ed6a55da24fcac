import Foundation
import MoyaCore
import MoyaMockServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// A GET request with an idle timeout of two minutes, for requests that a test holds open until
    /// it has seen an event. The wait for the event ends after a minute
    /// (``until(within:fileID:line:_:)``), so it fails before the request times out.
    static func patient(_ url: URL) -> URLRequest {
        URLRequest(url: url, timeoutInterval: 120)
    }
}

extension TransportRequest {
    /// A GET request to a path of `server`, with an idle timeout of two minutes.
    static func patient(_ server: MockServer, _ path: String = "/get") -> TransportRequest {
        TransportRequest(.patient(server.url.appendingPathComponent(path)))
    }
}
