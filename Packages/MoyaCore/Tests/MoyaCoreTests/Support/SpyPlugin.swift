import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

/// A plugin that records the calls of its methods.
final class SpyPlugin: PluginType {
    let events: Recorder<String>
    let name: String

    init(_ name: String = "", events: Recorder<String> = Recorder()) {
        self.name = name
        self.events = events
    }

    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        events.record("\(name)prepare")
        var request = request
        request.setValue("yes", forHTTPHeaderField: "X-Prepared")
        return request
    }

    func willSend(_ request: any RequestType, target: any TargetType) {
        events.record("\(name)willSend")
    }

    func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {
        events.record("\(name)didReceive")
    }

    func process(
        _ result: Result<Response, MoyaError>, target: any TargetType
    ) -> Result<Response, MoyaError> {
        events.record("\(name)process")
        return result
    }
}

extension MoyaProvider {
    /// Sends a request with a completion on a global queue and waits for its result.
    func result(of target: Target) async -> Result<Response, MoyaError> {
        do {
            return try await withCallback { continuation in
                request(target, callbackQueue: .global()) { continuation.resume(returning: $0) }
            }
        } catch {
            Issue.record(error)
            return .failure(.underlying(error, nil))
        }
    }
}

extension Result where Success == Response, Failure == MoyaError {
    /// The code of the result's URLError, or `nil`.
    var urlErrorCode: Int? {
        guard case .failure(.underlying(let error, _)) = self else { return nil }
        let bridged = error as NSError
        return bridged.domain == NSURLErrorDomain ? bridged.code : nil
    }
}
