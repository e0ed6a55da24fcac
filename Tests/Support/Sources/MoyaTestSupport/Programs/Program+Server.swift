#if os(macOS) || os(Linux)
    import Foundation
    import MoyaMockServer

    extension Program {
        /// A server that could not be started, and what it had to say about that.
        public struct Failure: Error, CustomStringConvertible {
            public let description: String
        }

        /// Where nginx is. `nil` where it is not installed.
        public static let nginx = path(of: "nginx")

        /// Starts a server on a port of 127.0.0.1 that was free a moment ago. Somebody else may have been quicker: then
        /// it ends, and is started on another.
        ///
        /// - Parameters:
        ///   - note: The file into which it writes as soon as it listens, mostly its number.
        ///   - sign: What it writes then, where it has written something else before.
        ///   - log: The file into which it writes why it does not.
        ///   - start: Starts it on the port it is given.
        /// - Returns: The server, which listens, and its port.
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
                        // It takes a moment from the file to the number.
                        let text = (try? String(contentsOf: note, encoding: .utf8)) ?? ""
                        listens = sign.map { text.contains($0) } ?? !text.isEmpty
                        return listens
                    }
                } catch is NeverMet {
                    // The server's log says more than that the time is over.
                    break
                }
                if listens { return (program, probe.port) }
            }
            let said = try? String(contentsOf: log, encoding: .utf8)
            throw Failure(description: "The server does not listen: \(said ?? "")")
        }
    }
#endif
