#if canImport(Security)
    import Foundation
    import MoyaCore

    // Background sessions require files for request and response bodies.
    extension SessionPlatform {
        func makeSessionConfiguration() -> URLSessionConfiguration {
            guard let backgroundIdentifier else { return .ephemeral }
            let configuration = URLSessionConfiguration.background(
                withIdentifier: backgroundIdentifier)
            // After a relaunch, no caller would be waiting for the response.
            configuration.sessionSendsLaunchEvents = false
            return configuration
        }

        /// Returns a task for a background session, or `nil` for other sessions.
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
