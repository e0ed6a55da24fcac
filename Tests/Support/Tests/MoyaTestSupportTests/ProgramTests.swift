import Foundation
import MoyaTestSupport
import Testing

#if os(macOS) || os(Linux)
    @Suite(.timeLimit(.minutes(3))) struct ProgramTests {
        /// Runs `script` in a shell and returns its standard output.
        private func output(
            of script: String, _ variables: [String: String] = [:]
        ) async throws -> String {
            let pipe = Pipe()
            let program = try Program(
                "/bin/sh", ["-c", script], environment: variables, output: pipe)
            let said = try await onThread { try pipe.fileHandleForReading.readToEnd() ?? Data() }
            #expect(await program.hasSucceeded())
            return String(decoding: said, as: UTF8.self)
        }

        @Test func `a program's output is captured, and its input is empty`() async throws {
            let said = try await output(of: "cat; echo $GREETING", ["GREETING": "hello"])
            #expect(said == "hello\n")
        }

        @Test func `A program that runs for longer than the caller waits has not succeeded`()
            async throws
        {
            let program = try Program("/bin/sh", ["-c", "sleep 3600"])
            #expect(await !program.hasSucceeded(within: 0))
            #expect(!program.hasSucceededSynchronously(within: 0))
            #expect(program.isRunning)
            program.end()
            #expect(!program.isRunning)
        }

        @Test func `a program starts with no signals blocked`() async throws {
            let program = try Program("/bin/sh", ["-c", "kill $$; sleep 60"])
            #expect(await !program.hasSucceeded())
        }

        @Test func `starting a program that does not exist is an error`() {
            #expect(throws: POSIXError.self) { try Program("/nowhere/nothing", []) }
        }

        @Test func `ending a program ends its child processes`() async throws {
            let pipe = Pipe()
            let program = try Program(
                "/bin/sh", ["-c", "sleep 3600 & echo; sleep 3600"], output: pipe)
            _ = pipe.fileHandleForReading.availableData
            #expect(program.isRunning)
            program.end()
            #expect(!program.isRunning)
            // Reading ends only once no process has the write end of the pipe open.
            let rest = try await onThread { try pipe.fileHandleForReading.readToEnd() ?? Data() }
            #expect(rest.isEmpty)
        }

        // Older compilers do not support captures in exit tests.
        #if compiler(>=6.3)
            @Test(arguments: [true, false])
            func `a killed or exiting test process ends its programs and removes its files`(
                isKilled: Bool
            ) async throws {
                let folder = try TemporaryFolder()
                let fifo = folder.file("fifo")
                try #require(mkfifo(fifo.path, 0o600) == 0)
                let end = open(fifo.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
                let handle = FileHandle(fileDescriptor: end, closeOnDealloc: true)
                await #expect(processExitsWith: isKilled ? .signal(SIGKILL) : .success) {
                    [path = fifo.path as String, isKilled = isKilled as Bool] in
                    let folder = try TemporaryFolder()
                    let pipe = Pipe()
                    let script = "exec 3>'\(path)'; echo '\(folder.url.path)' >&3; echo; sleep 3600"
                    let program = try Program("/bin/sh", ["-c", script], output: pipe)
                    _ = pipe.fileHandleForReading.availableData
                    if isKilled { kill(getpid(), SIGKILL) }
                    withExtendedLifetime((folder, program)) { exit(0) }
                }
                _ = fcntl(end, F_SETFL, O_RDONLY)
                // Reading ends once every process with the write end of the FIFO has exited.
                let output = try await onThread { try handle.readToEnd() ?? Data() }
                let said = String(decoding: output, as: UTF8.self)
                #expect(said.hasSuffix("\n"))
                try await until {
                    !FileManager.default.fileExists(atPath: String(said.dropLast()))
                }
            }
        #endif
    }
#endif
