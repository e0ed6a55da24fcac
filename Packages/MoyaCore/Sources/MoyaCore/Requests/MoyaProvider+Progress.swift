import Foundation
import MoyaInternals

extension MoyaProvider {
    /// Sends a request and returns its progress. The last element has the response.
    ///
    /// ```swift
    /// for try await progress in provider.progress(of: .upload(film)) {
    ///     print(progress.progress, progress.response?.statusCode ?? "…")
    /// }
    /// ```
    ///
    /// Starts the request immediately. Ending the iteration cancels the request. The stream buffers
    /// only the newest element, so a slow consumer skips outdated progress. The stream throws
    /// ``MoyaError``. If the task that iterates is cancelled, the stream ends without an error and
    /// without a response, as every `AsyncThrowingStream` does.
    public func progress(of target: Target) -> AsyncThrowingStream<ProgressResponse, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let newest = Locked<Progress?>(nil)
            let token = request(target, callbackQueue: callbackQueue ?? .global()) { report in
                newest.withLock { $0 = report.progressObject }
                // The element with the response is yielded in `completion`, after the plugins'
                // `process`.
                if !report.completed { continuation.yield(report) }
            } completion: { result in
                do {
                    let response = try result.get()
                    let progress = newest.withLock { $0 }
                    continuation.yield(ProgressResponse(progress: progress, response: response))
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            // Retains the provider, whose release would cancel the request.
            continuation.onTermination = { [self] _ in
                withExtendedLifetime(self) { token.cancel() }
            }
        }
    }
}
