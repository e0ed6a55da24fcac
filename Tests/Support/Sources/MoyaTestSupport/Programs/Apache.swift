#if os(macOS) || os(Linux)
    import Foundation

    /// An Apache server on 127.0.0.1. It ends when this object is released.
    public final class Apache: Sendable {
        private static let path = "/usr/sbin/apache2"
        private static let modules = "/usr/lib/apache2/modules"

        /// Whether Apache and these modules are installed.
        public static func isInstalled(with modules: [String]) -> Bool {
            FileManager.default.isExecutableFile(atPath: path)
                && modules.allSatisfy {
                    FileManager.default.fileExists(atPath: "\(Self.modules)/mod_\($0).so")
                }
        }

        /// Port on 127.0.0.1.
        public let port: Int
        private let program: Program

        /// Starts Apache and waits until it listens.
        ///
        /// - Parameters:
        ///   - folder: Folder for its configuration, log and process ID.
        ///   - modules: Modules to load in addition to `mpm_event` and `authz_core`.
        ///   - environment: Variables to add to those of this process.
        ///   - directives: The rest of its configuration.
        /// - Throws: ``Program/Failure`` with the error log if Apache does not listen.
        public init(
            in folder: URL, loading modules: [String], environment: [String: String] = [:],
            _ directives: String
        ) async throws {
            let loading = (["mpm_event", "authz_core"] + modules)
                .map { "LoadModule \($0)_module \(Self.modules)/mod_\($0).so\n" }.joined()
            let path = folder.path
            let (note, log) = (path + "/httpd.pid", path + "/error.log")
            (program, port) = try await Program.server(
                noting: URL(fileURLWithPath: note), log: URL(fileURLWithPath: log)
            ) { port in
                let configuration = """
                    ServerRoot \(path)
                    ServerName localhost
                    Listen 127.0.0.1:\(port)
                    PidFile \(note)
                    DefaultRuntimeDir \(path)
                    # Others are the system's, and would outlive it.
                    Mutex file:\(path)
                    ErrorLog \(log)
                    # Where root runs the tests, Apache is nobody.
                    User #65534
                    Group #65534
                    \(loading)
                    \(directives)

                    """
                let file = path + "/httpd.conf"
                try Data(configuration.utf8).write(to: URL(fileURLWithPath: file))
                return try Program(Self.path, ["-X", "-f", file], environment: environment)
            }
        }
    }
#endif
