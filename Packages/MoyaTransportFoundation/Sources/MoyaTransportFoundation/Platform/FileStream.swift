#if !canImport(Security)
    import Foundation
    import FoundationNetworking

    /// A file that is read while it is sent, and no further than the length that was announced.
    ///
    /// URLSession's own way to send a file here ends the process where an exchange ends while a piece is being read:
    /// it tells libcurl to go on with what is over. This stream has its bytes at once, so that libcurl never waits.
    final class FileStream: InputStream {
        private let path: String
        private var left: Int64
        private var descriptor: Int32 = -1

        init(_ url: URL, length: Int64) {
            path = url.path
            left = length
            super.init(data: Data())
        }

        deinit { closeFile() }

        override var streamStatus: Stream.Status { descriptor < 0 ? .notOpen : .open }
        override var hasBytesAvailable: Bool { left > 0 }

        override func open() {
            // Without waiting: it may have become a pipe since it was looked at.
            descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        }

        override func close() {
            closeFile()
        }

        /// Returns -1, which ends the exchange, for a file that has gone or is shorter than it was.
        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
            var count = -1
            repeat {
                count = Foundation.read(descriptor, buffer, min(maxLength, Int(left)))
            } while count < 0 && errno == EINTR
            guard count > 0 else { return -1 }
            left -= Int64(count)
            if left == 0 { closeFile() }
            return count
        }

        private func closeFile() {
            if descriptor >= 0 { _ = Foundation.close(descriptor) }
            descriptor = -1
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
            // A field of nothing but space is what keeps libcurl from one of its own, here of chunks, and Foundation
            // from inventing a type. Neither is sent.
            request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
            if request.value(forHTTPHeaderField: "Content-Type") == nil {
                request.setValue(" ", forHTTPHeaderField: "Content-Type")
            }
            return session.dataTask(with: request)
        }
    }
#endif
