#if os(macOS) || os(Linux)
    import Foundation

    extension Requirement {
        // Programs that `scripts/bootstrap --tests` installs.

        /// nginx.
        public static let nginx = program("nginx")
        /// The command-line tool of OpenSSL.
        public static let openssl = program("openssl")
        /// The proxy of nghttp2.
        public static let nghttpx = program("nghttpx")
        /// The Go toolchain.
        public static let go = program("go")

        /// Apache with these modules, in addition to `mpm_event` and `authz_core`.
        public static func apache(_ modules: String...) -> Requirement {
            installed(
                "apache2 with \(modules.map { "mod_\($0)" }.joined(separator: ", "))",
                Apache.isInstalled(with: modules))
        }

        /// Python modules, separated by commas.
        ///
        /// - Parameter package: Name of the package that contains the modules. `nil` if it is the
        ///   name of the module.
        public static func python(_ modules: String, from package: String? = nil) -> Requirement {
            Requirement("\(package ?? modules) for python3", remedy: remedy) {
                await PythonModules.shared.have(modules)
            }
        }

        /// A Kerberos KDC and client tools.
        public static let kerberos = installed(
            "krb5-admin-server with krb5kdc, kadmin.local and kinit",
            ["krb5kdc", "kadmin.local", "kinit"].allSatisfy { Program.path(of: $0) != nil })

        static func program(_ name: String) -> Requirement {
            installed(name, Program.path(of: name) != nil)
        }

        /// Something that `scripts/bootstrap --tests` installs.
        public static func installed(
            _ name: String, _ isInstalled: @autoclosure @escaping @Sendable () -> Bool
        ) -> Requirement {
            Requirement(name, remedy: remedy, isMet: isInstalled())
        }

        private static let remedy = "Run scripts/bootstrap --tests."
    }

    /// Caches which modules Python can import, because each start of Python takes 0.1 s.
    private actor PythonModules {
        static let shared = PythonModules()
        private var answers: [String: Task<Bool, Never>] = [:]

        func have(_ modules: String) async -> Bool {
            let answer = answers[modules] ?? Task { await Python.has(modules) }
            answers[modules] = answer
            return await answer.value
        }
    }
#endif
