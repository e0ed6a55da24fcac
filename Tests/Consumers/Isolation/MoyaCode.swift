// Code of Moya as it compiles in Swift 6 mode: stored closures, an array of values of several types
// in parameters, and a token with a flag of its own.
import Foundation
import Moya

/// Compares the books with these IDs: numbers of this service, texts of others.
struct Comparison: TargetType {
    var baseURL: URL { Service.base }
    var path: String { "/comparisons" }
    var method: Moya.Method { .post }
    var task: Moya.Task {
        .requestParameters(
            parameters: ["ids": [1, "x"] as [any Sendable]], encoding: JSONEncoding.default)
    }
    var headers: [String: String]? { nil }
}

/// Stores the closures of its caller until the request.
final class StoredClosures {
    var onProgress: ProgressBlock?
    var done: Completion?
    private(set) var token: (any Cancellable)?
    private(set) var fraction = 0.0
    private let provider: MoyaProvider<Comparison>

    init(provider: MoyaProvider<Comparison>) {
        self.provider = provider
    }

    func compare() {
        onProgress = { [weak self] progress in
            let fraction = progress.progress
            MainActor.assumeIsolated { self?.fraction = fraction }
        }
        token = provider.request(Comparison(), progress: onProgress) { [done] result in
            done?(result)
        }
    }
}

/// `@unchecked`, because the compiler cannot tell that the lock guards the flag.
nonisolated final class OwnToken: Cancellable, @unchecked Sendable {
    private let lock = NSLock()
    private var flag = false

    var isCancelled: Bool { lock.withLock { flag } }

    func cancel() { lock.withLock { flag = true } }
}
