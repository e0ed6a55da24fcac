#if canImport(Security)
    import Foundation
    import MoyaCore

    // A background session works with files on both sides.
    extension SessionPlatform {
        func makeSessionConfiguration() -> URLSessionConfiguration {
            guard let backgroundIdentifier else { return .ephemeral }
            let configuration = URLSessionConfiguration.background(
                withIdentifier: backgroundIdentifier)
            // No caller would be there that waits for a response.
            configuration.sessionSendsLaunchEvents = false
            return configuration
        }

        /// A task for a background session. `nil` for any other.
        func makeBackgroundTask(
            _ request: URLRequest, _ body: RequestBody, on session: URLSession
        ) -> URLSessionTask? {
            guard isInBackground else { return nil }
            if case .file(let url) = body {
                return session.uploadTask(with: request, fromFile: url)
            }
            return session.downloadTask(with: request)
        }
    }
#endif
