import Foundation
import Logging
import MoyaCore
import MoyaLayers

/// Layers that have nothing to do for the requests of the benchmark.
enum Layers {
    static let names = [
        "layer-breaker", "layer-cache", "layer-limiter", "layer-rate", "layer-logging",
        "layer-metrics", "layer-tracing", "layer-observability", "layer-retry", "layer-token",
        "layer-chain",
    ]

    /// `transport` in the layer of that name. `nil` for an unknown name.
    static func wrap(_ transport: any Transport, in name: String) -> (any Transport)? {
        var logger = Logger(label: "bench")
        logger.logLevel = .error
        let token = AccessToken("token", expiration: Date(timeIntervalSinceNow: 86_400))
        let tokens = TokenRefresher(token: token) { _ in token }
        return switch name {
        case "layer-breaker": transport.breakingCircuit()
        case "layer-cache": transport.caching(in: MemoryCacheStore())
        case "layer-limiter": transport.limitingConcurrency(perHost: 1 << 20)
        case "layer-rate": transport.limitingRate(with: RateLimiter(1 << 30, per: 1))
        case "layer-logging": transport.logging(to: logger)
        case "layer-metrics": transport.measuring()
        case "layer-tracing": transport.tracing()
        case "layer-observability": transport.logging(to: logger).measuring().tracing()
        case "layer-retry": transport.retrying()
        case "layer-token": transport.authorizing(with: tokens, where: { _ in true })
        case "layer-chain":
            transport.limitingConcurrency(perHost: 1 << 20)
                .authorizing(with: tokens, where: { _ in true }).breakingCircuit()
                .retrying().caching(in: MemoryCacheStore()).logging(to: logger).measuring()
                .tracing()
        default: nil
        }
    }
}
