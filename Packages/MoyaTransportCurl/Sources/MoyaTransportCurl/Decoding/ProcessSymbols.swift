#if CURL
import CMoyaCurl
import Foundation

/// Looks up functions of the libraries that libcurl uses, which are linked into the program with it
/// or loaded by the process. Linked ones first: the process may have loaded another copy.
struct ProcessSymbols {
    /// No library has the function.
    struct Missing: Error {}

    private let process = dlopen(nil, RTLD_LAZY)

    /// The function called `name`, which has to stand in `linked.h` of CMoyaCurl. The caller's type
    /// annotation has to match the C declaration.
    func callAsFunction<Function>(_ name: String) throws(Missing) -> Function {
        guard let function = moya_linked_function(name) ?? process.flatMap({ dlsym($0, name) })
        else { throw Missing() }
        return unsafeBitCast(function, to: Function.self)
    }
}
#endif
