#if os(macOS) || os(Linux)
    import Foundation
    import MoyaMockServer

    extension Program {
        /// A server did not start. The description contains its log.
        public struct Failure: Error, CustomStringConvertible {
            public let description: String
        }

        /// The path of nginx, or `nil` if it is not installed.
        public static let nginx = path(of: "nginx")

        /// Starts a server on a free port of 127.0.0.1 and waits until it listens.
        ///
        /// Another process may take the port between its selection and the start. The server then
        /// exits, and is started again on another port, at most ten times.
        ///
        /// - Parameters:
        ///   - note: File that the server writes once it listens, such as its process ID.
        ///   - sign: Text in `note` that shows that the server listens. `nil` accepts any text.
        ///   - log: File with the server's errors.
        ///   - start: Starts the server on `port`.
        /// - Returns: The server, which listens, and its port.
        /// - Throws: ``Failure`` with the log; the errors of `start`.
        public static func server(
            noting note: URL, _ sign: String? = nil, log: URL,
            _ start: (_ port: Int) throws -> Program
        ) async throws -> (program: Program, port: Int) {
            for _ in 0..<10 {
                let probe = try MockServer()
                probe.stop()
                let program = try start(probe.port)
                var listens = false
                do {
                    try await until {
                        guard program.isRunning else { return true }
                        // The file exists, empty, before the server writes to it.
                        let text = (try? String(contentsOf: note, encoding: .utf8)) ?? ""
                        listens = sign.map { text.contains($0) } ?? !text.isEmpty
                        return listens
                    }
                } catch is NeverMet {
                    // `Failure` below contains the server's log.
                    break
                }
                if listens { return (program, probe.port) }
            }
            let said = try? String(contentsOf: log, encoding: .utf8)
            throw Failure(description: "The server does not listen: \(said ?? "")")
        }
    }
#endif
