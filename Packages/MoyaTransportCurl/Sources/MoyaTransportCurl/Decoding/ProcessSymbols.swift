#if CURL
import CMoyaCurl
import Foundation

/// Looks up functions of the libraries that libcurl uses.
struct ProcessSymbols: Sendable {
    /// There is no such function.
    struct Missing: Error {}

    /// Functions of loaded libraries.
    static let loaded = ProcessSymbols { name in process.flatMap { dlsym($0, name) } }
    /// Functions of an OpenSSL that is linked into the program statically.
    static let linked = ProcessSymbols { moya_linked_function($0) }

    /// The process's handle, which is never closed.
    private nonisolated(unsafe) static let process = dlopen(nil, RTLD_LAZY)

    private let find: @Sendable (String) -> UnsafeMutableRawPointer?

    /// The function called `name`. The caller's type annotation has to match the C declaration.
    func callAsFunction<Function>(_ name: String) throws(Missing) -> Function {
        guard let function = find(name) else { throw Missing() }
        return unsafeBitCast(function, to: Function.self)
    }
}
#endif
