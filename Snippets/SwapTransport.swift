// Sends the same target over libcurl or URLSession.
import Foundation
import MoyaCore
import MoyaTransportCurl
import MoyaTransportFoundation

func makeProvider<Target: TargetType>(onURLSession: Bool) throws -> MoyaProvider<Target> {
    if onURLSession { return MoyaProvider(transport: FoundationTransport()) }
    var configuration = CurlTransport.Configuration()
    configuration.connectTimeout = 5
    configuration.maxConnectionsPerHost = 16
    return MoyaProvider(transport: try CurlTransport(configuration: configuration))
}
