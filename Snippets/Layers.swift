// Layers: transports that wrap another transport.
import Foundation
import MoyaCore
import MoyaLayers
import MoyaTransportCurl

func makeLayeredProvider<Target: TargetType>() -> MoyaProvider<Target> {
    let transport = CurlTransport().retrying(.exponential()).caching(in: MemoryCacheStore())
    return MoyaProvider(transport: transport)
}
