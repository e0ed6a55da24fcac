import Foundation
import MoyaCore
import MoyaInternals

/// Logs requests and responses, secrets masked.
///
/// ```swift
/// let logger = NetworkLoggerPlugin(configuration: .init(logOptions: .verbose))
/// ```
public final class NetworkLoggerPlugin: PluginType {
    private let state: Locked<Configuration>

    /// What is logged, and where it goes.
    public var configuration: Configuration {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// Logs as `configuration` says, which may be changed later.
    public init(configuration: Configuration = Configuration()) {
        state = Locked(configuration)
    }

    /// Logs the method and the header fields of requests, and the status of responses.
    public class var `default`: NetworkLoggerPlugin {
        NetworkLoggerPlugin(configuration: Configuration(logOptions: .default))
    }

    /// Logs bodies as well.
    public class var verbose: NetworkLoggerPlugin {
        NetworkLoggerPlugin(configuration: Configuration(logOptions: .verbose))
    }

    public func willSend(_ request: any RequestType, target: any TargetType) {
        let configuration = configuration
        NetworkLog(configuration: configuration, target: target).log(request) { items in
            configuration.output(target, items)
        }
    }

    public func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {
        let log = NetworkLog(configuration: configuration, target: target)
        switch result {
        case .success(let response):
            configuration.output(target, log.items(for: response, isError: false))
        case .failure(let error):
            // A status that was not accepted comes as an error, with its response.
            let items = error.response.map { log.items(for: $0, isError: true) }
            configuration.output(target, items ?? log.items(for: error))
        }
    }
}
