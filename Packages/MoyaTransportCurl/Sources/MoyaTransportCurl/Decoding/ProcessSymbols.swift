#if CURL
import Foundation

/// Looks up functions of the libraries that the process has loaded.
struct ProcessSymbols {
    /// No loaded library has the function.
    struct Missing: Error {}

    private let process = dlopen(nil, RTLD_LAZY)

    /// The function called `name`. The caller's type annotation has to match the C declaration.
    func callAsFunction<Function>(_ name: String) throws(Missing) -> Function {
        guard let process, let function = dlsym(process, name) else { throw Missing() }
        return unsafeBitCast(function, to: Function.self)
    }
}
#endif
