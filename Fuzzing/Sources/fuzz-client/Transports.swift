import Foundation
import MoyaCore
import MoyaTransportCurl
import MoyaTransportFoundation

/// Transports of one case. Each is created for the first request that needs it.
struct Transports {
    enum Kind: String {
        case curl, foundation
    }

    /// Limit of a response's body, in bytes. The driver expects this value.
    static let memoryLimit = 1 << 20
    /// Timeout of a request and its response, in seconds. The driver expects this value.
    static let exchangeTimeout: TimeInterval = 2

    private let kind: Kind
    private let certificates: URL
    private var made: [Order.Way: any Transport] = [:]

    init(_ kind: Kind, _ certificates: URL) {
        self.kind = kind
        self.certificates = certificates
    }

    mutating func transport(for way: Order.Way) throws -> any Transport {
        if let transport = made[way] { return transport }
        let transport: any Transport =
            switch kind {
            case .curl: try curl(way)
            case .foundation: try foundation()
            }
        made[way] = transport
        return transport
    }

    private func curl(_ way: Order.Way) throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.exchangeTimeout = Self.exchangeTimeout
        configuration.maxDecompressedSize = Int64(Self.memoryLimit)
        configuration.threads = 1
        switch way {
        case .clear: break
        case .h2c: configuration.httpVersion = .http2PriorKnowledge
        case .tls: configuration.tls.trust = .file(certificates)
        }
        return try CurlTransport(configuration: configuration)
    }

    private func foundation() throws -> FoundationTransport {
        var configuration = FoundationTransport.Configuration()
        configuration.exchangeTimeout = Self.exchangeTimeout
        return try FoundationTransport(configuration: configuration)
    }
}
