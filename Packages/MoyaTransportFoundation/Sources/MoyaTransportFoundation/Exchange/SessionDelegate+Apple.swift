#if canImport(Security)
    import Foundation
    import MoyaCore

    extension SessionDelegate {
        func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
            exchange(task)?.waitForConnectivity()
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
            // The system deletes the file when this method returns.
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
