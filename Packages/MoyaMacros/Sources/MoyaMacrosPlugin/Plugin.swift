#if Macros
    import SwiftCompilerPlugin
    import SwiftSyntaxMacros

    @main
    struct Plugin: CompilerPlugin {
        let providingMacros: [any Macro.Type] = [APIMacro.self, RouteMacro.self]
    }
#else
    /// An empty program: without the trait `Macros` the plugin has no macros.
    @main
    enum Plugin {
        static func main() {}
    }
#endif
