#if canImport(Security)
    import Foundation
    @_spi(MoyaInternals) import MoyaCore

    // A background session works with files on both sides.
    extension SessionPlatform {
        func makeSessionConfiguration() -> URLSessionConfiguration {
            guard let backgroundIdentifier else { return .ephemeral }
            let configuration = URLSessionConfiguration.background(
                withIdentifier: backgroundIdentifier)
            // Nobody would be there who waits for a response.
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

    extension SessionDelegate: URLSessionDownloadDelegate {
        func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask,
            didFinishDownloadingTo location: URL
        ) {
            guard let exchange = exchange(downloadTask) else { return }
            if let response = downloadTask.response as? HTTPURLResponse {
                exchange.receive(response)
            }
            // The file is gone once this has returned.
            do {
                let file = try FileHandle(forReadingFrom: location)
                defer { try? file.close() }
                while let piece = try file.read(upToCount: 256 << 10), !piece.isEmpty {
                    exchange.receive(piece)
                }
            } catch {
                exchange.settle(
                    with: URLError(
                        .cannotOpenFile, "The response's file cannot be read.",
                        url: downloadTask.originalRequest?.url, cause: error))
            }
        }
    }
#endif
