import Foundation
import MoyaCore
import MoyaMockServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// Gets what is at `url`, and is given up after ten minutes in which nothing moves: for what a test holds open
    /// until it has seen what it looks for, which takes a busy machine longer than the minute that requests have
    /// otherwise.
    static func patient(_ url: URL) -> URLRequest {
        URLRequest(url: url, timeoutInterval: 600)
    }
}

extension TransportRequest {
    /// Gets what is at a path of `server`, and is as patient.
    static func patient(_ server: MockServer, _ path: String = "/get") -> TransportRequest {
        TransportRequest(.patient(server.url.appendingPathComponent(path)))
    }
}
