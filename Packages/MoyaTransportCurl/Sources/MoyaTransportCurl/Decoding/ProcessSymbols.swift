#if CURL
import Foundation

/// Functions of libraries that the process has loaded, by name.
struct ProcessSymbols {
    /// The process has no library with the function.
    struct Missing: Error {}

    private let process = dlopen(nil, RTLD_LAZY)

    /// The function of that name, whose type is that of what it is assigned to.
    func callAsFunction<Function>(_ name: String) throws(Missing) -> Function {
        guard let process, let function = dlsym(process, name) else { throw Missing() }
        return unsafeBitCast(function, to: Function.self)
    }
}
#endif
