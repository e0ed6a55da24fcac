#if os(macOS) || os(Linux)
    import Foundation

    extension Program {
        #if canImport(Darwin)
            private typealias Actions = posix_spawn_file_actions_t?
            private typealias Attributes = posix_spawnattr_t?
        #else
            private typealias Actions = posix_spawn_file_actions_t
            private typealias Attributes = posix_spawnattr_t
        #endif
        private typealias CloseFrom =
            @convention(c) (UnsafeMutablePointer<Actions>, Int32) -> Int32

        /// `posix_spawn_file_actions_addclosefrom_np` of glibc 2.34 and later. Its header declares
        /// it only with `_GNU_SOURCE`, so it is looked up at run time. `nil` on other systems.
        private static let closeFrom = dlsym(
            dlopen(nil, RTLD_NOW), "posix_spawn_file_actions_addclosefrom_np"
        ).map { unsafeBitCast($0, to: CloseFrom.self) }

        /// Starts a program in a new process group, with no descriptors but standard input, output
        /// and error.
        ///
        /// - Parameters:
        ///   - input: Descriptor for its standard input. `nil` is `/dev/null`.
        ///   - output: Descriptor for its standard output. `nil` is `/dev/null`.
        /// - Returns: The process ID, which is also that of the process group.
        static func spawn(
            _ path: String, _ arguments: [String],
            variables: [String: String] = ProcessInfo.processInfo.environment,
            input: Int32? = nil, output: Int32? = nil
        ) throws -> pid_t {
            var actions = makeActions()
            defer { posix_spawn_file_actions_destroy(&actions) }
            for (descriptor, own) in [(0, input), (1, output), (2, nil)] as [(Int32, Int32?)] {
                if let own {
                    posix_spawn_file_actions_adddup2(&actions, own, descriptor)
                } else {
                    posix_spawn_file_actions_addopen(
                        &actions, descriptor, "/dev/null", O_RDWR, 0)
                }
            }
            _ = closeFrom?(&actions, 3)
            var attributes = makeAttributes()
            defer { posix_spawnattr_destroy(&attributes) }
            let texts = [[path] + arguments, variables.map { "\($0)=\($1)" }].map { texts in
                texts.map { strdup($0) } + [nil]
            }
            defer { for text in texts.joined() { free(text) } }
            var identifier: pid_t = 0
            let code = posix_spawn(&identifier, path, &actions, &attributes, texts[0], texts[1])
            guard code == 0 else { throw POSIXError(.init(rawValue: code) ?? .ENOENT) }
            return identifier
        }

        private static func makeActions() -> Actions {
            #if canImport(Darwin)
                var actions: Actions = nil
            #else
                var actions = Actions()
            #endif
            posix_spawn_file_actions_init(&actions)
            return actions
        }

        /// Attributes for a new process group and an empty signal mask.
        ///
        /// The group can be killed together with the processes that the program starts. Without the
        /// mask, the program would inherit the signals that the threads of tests block.
        private static func makeAttributes() -> Attributes {
            #if canImport(Darwin)
                var attributes: Attributes = nil
            #else
                var attributes = Attributes()
            #endif
            posix_spawnattr_init(&attributes)
            posix_spawnattr_setpgroup(&attributes, 0)
            var signals = sigset_t()
            sigemptyset(&signals)
            posix_spawnattr_setsigmask(&attributes, &signals)
            posix_spawnattr_setflags(
                &attributes, Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGMASK))
            return attributes
        }
    }
#endif
