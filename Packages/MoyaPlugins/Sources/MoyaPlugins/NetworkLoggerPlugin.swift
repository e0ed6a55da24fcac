import Foundation
import MoyaCore
import MoyaInternals

/// Logs requests and responses, with secrets masked.
///
/// ```swift
/// let logger = NetworkLoggerPlugin(configuration: .init(logOptions: .verbose))
/// ```
public final class NetworkLoggerPlugin: PluginType {
    private let state: Locked<Configuration>

    /// Content and destination of the log. May be changed at any time, from any thread.
    public var configuration: Configuration {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// Creates a logger with `configuration`, which may be changed later.
    public init(configuration: Configuration = Configuration()) {
        state = Locked(configuration)
    }

    /// A logger of requests' methods and header fields, and of responses' status and header fields.
    public class var `default`: NetworkLoggerPlugin {
        NetworkLoggerPlugin(configuration: Configuration(logOptions: .default))
    }

    /// A logger of requests and responses including their bodies.
    public class var verbose: NetworkLoggerPlugin {
        NetworkLoggerPlugin(configuration: Configuration(logOptions: .verbose))
    }

    /// Logs the request.
    public func willSend(_ request: any RequestType, target: any TargetType) {
        let configuration = configuration
        NetworkLog(configuration: configuration, target: target).log(request) { items in
            configuration.output(target, items)
        }
    }

    /// Logs the response or the error.
    public func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {
        let log = NetworkLog(configuration: configuration, target: target)
        switch result {
        case .success(let response):
            configuration.output(target, log.items(for: response, isError: false))
        case .failure(let error):
            configuration.output(target, log.items(for: error))
        }
    }
}
