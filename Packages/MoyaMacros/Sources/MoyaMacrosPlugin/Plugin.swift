#if Macros
    import SwiftCompilerPlugin
    import SwiftSyntaxMacros

    @main
    struct Plugin: CompilerPlugin {
        let providingMacros: [any Macro.Type] = [APIMacro.self, RouteMacro.self]
    }
#else
    /// Without the trait `Macros` there is nothing to expand.
    @main
    enum Plugin {
        static func main() {}
    }
#endif
