import Foundation

/// Functions of libraries that the process has loaded, by name.
struct ProcessSymbols {
    private let process: UnsafeMutableRawPointer

    init?() {
        guard let process = dlopen(nil, RTLD_LAZY) else { return nil }
        self.process = process
    }

    func find<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(process, name).map { unsafeBitCast($0, to: type) }
    }
}
