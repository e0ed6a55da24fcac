#if !canImport(Security)
    import Foundation
    import FoundationNetworking

    /// Input stream that reads a file while it is sent, up to the announced length.
    ///
    /// On Linux, URLSession's file uploads end the process if an exchange ends while a chunk is
    /// being read: URLSession then resumes a libcurl transfer that is over. This stream reads
    /// synchronously, so that libcurl never waits.
    final class FileStream: InputStream {
        private let path: String
        private var left: Int64
        private var descriptor: Int32 = -1

        init(_ url: URL, length: Int64) {
            path = url.path
            left = length
            super.init(data: Data())
        }

        deinit { close() }

        override var streamStatus: Stream.Status { descriptor < 0 ? .notOpen : .open }
        override var hasBytesAvailable: Bool { left > 0 }

        override func open() {
            // O_NONBLOCK: if a FIFO has replaced the file, open(2) must not wait for a writer.
            descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        }

        override func close() {
            if descriptor >= 0 { _ = Foundation.close(descriptor) }
            descriptor = -1
        }

        /// Returns -1, which fails the exchange, if the file is missing or shorter than announced.
        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
            var count = -1
            repeat {
                count = Foundation.read(descriptor, buffer, min(maxLength, Int(left)))
            } while count < 0 && errno == EINTR
            guard count > 0 else { return -1 }
            left -= Int64(count)
            if left == 0 { close() }
            return count
        }
    }

    extension SessionPlatform {
        func makeUploadTask(
            _ request: URLRequest, _ file: URL, length: Int64, on session: URLSession
        ) -> URLSessionTask {
            guard length > 0 else { return session.uploadTask(with: request, from: Data()) }
            var request = request
            request.httpBodyStream = FileStream(file, length: length)
            request.setValue(String(length), forHTTPHeaderField: "Content-Length")
            // A value of a single space keeps libcurl from adding `Transfer-Encoding: chunked`, and
            // Foundation from adding a Content-Type. Neither field is sent.
            request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
            if request.value(forHTTPHeaderField: "Content-Type") == nil {
                request.setValue(" ", forHTTPHeaderField: "Content-Type")
            }
            return session.dataTask(with: request)
        }
    }
#endif
