// Errors that requests throw, and how to catch them.
import Foundation
import Moya

struct Problem: Decodable {
    var title: String
}

func describeZen(with provider: MoyaProvider<GitHub>) async -> String {
    do {
        return try await provider.request(.zen).filterSuccessfulStatusCodes().mapString()
    } catch MoyaError.statusCode(let response) {
        // The error contains the refused response with its body.
        let problem = try? response.map(Problem.self)
        return problem?.title ?? "status \(response.statusCode)"
    } catch MoyaError.underlying(let error as URLError, _) where error.code == .timedOut {
        return "too slow"
    } catch let error as MoyaError {
        return error.localizedDescription
    } catch {
        return "\(error)"
    }
}

/// Errors that an app shows. `init(_:)` converts every error of a request to one of them.
enum Failure: Error {
    case offline, signedOut, cancelled
    case unavailable(status: Int?)

    init(_ error: any Error) {
        let error = MoyaError(wrapping: error)
        switch (error.response?.statusCode, error.underlyingError) {
        case (401, _): self = .signedOut
        case (_, let cause as URLError) where cause.code == .cancelled: self = .cancelled
        case (_, let cause as URLError) where TransientFailure(cause) != nil: self = .offline
        case (let status, _): self = .unavailable(status: status)
        }
    }
}

func zen(with provider: MoyaProvider<GitHub>) async throws(Failure) -> String {
    do {
        return try await provider.request(.zen).mapString()
    } catch {
        throw Failure(error)
    }
}

// A completion handler receives a `Result<Response, MoyaError>`.
func showZen(with provider: MoyaProvider<GitHub>) {
    provider.request(.zen) { result in
        switch result {
        case .success(let response): print(response.statusCode)
        case .failure(.underlying(let error, let response)): print(error, response as Any)
        case .failure(let error): print(error.localizedDescription)
        }
    }
}

enum GitHub: TargetType {
    case zen

    var baseURL: URL { URL(string: "https://api.github.com") ?? URL(fileURLWithPath: "/") }
    var path: String { "/zen" }
    var method: Moya.Method { .get }
    var task: Moya.Task { .requestPlain }
    var headers: [String: String]? { nil }
}
