import Foundation
import MoyaCore
import MoyaTransportCurl
import MoyaTransportFoundation

/// The transport of a round.
enum Carrier {
    case curl(CurlTransport)
    case foundation(FoundationTransport)

    init(_ kind: Options.Carrier, connections: Int) throws {
        switch kind {
        case .curl:
            self = .curl(CurlTransport())
        case .foundation:
            var configuration = FoundationTransport.Configuration()
            configuration.maxConnectionsPerHost = connections
            self = .foundation(try FoundationTransport(configuration: configuration))
        }
    }

    var transport: any Transport {
        switch self {
        case .curl(let transport): transport
        case .foundation(let transport): transport
        }
    }

    func shutdown() {
        switch self {
        case .curl(let transport): transport.shutdown()
        case .foundation(let transport): transport.shutdown()
        }
    }
}
