// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
]

/// Returns products of swift-syntax, which are fetched and used only if the trait is on.
func syntax(_ names: String...) -> [Target.Dependency] {
    names.map {
        .product(name: $0, package: "swift-syntax", condition: .when(traits: ["Macros"]))
    }
}

let package = Package(
    name: "MoyaMacros",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [
        .library(name: "MoyaMacros", targets: ["MoyaMacros"])
    ],
    traits: [
        .trait(name: "Macros", description: "Targets declared by macros, with swift-syntax.")
    ],
    dependencies: [
        .package(path: "../MoyaCore"),
        .package(url: "https://github.com/swiftlang/swift-syntax.git", "603.0.0"..<"604.0.0"),
    ],
    targets: [
        .macro(
            name: "MoyaMacrosPlugin",
            dependencies: syntax(
                "SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftParser", "SwiftSyntax",
                "SwiftSyntaxBuilder", "SwiftSyntaxMacros"),
            packageAccess: false, swiftSettings: settings),
        .target(
            name: "MoyaMacros",
            dependencies: [
                "MoyaMacrosPlugin", .product(name: "MoyaCore", package: "MoyaCore"),
            ],
            packageAccess: false, swiftSettings: settings),
        .testTarget(
            name: "MoyaMacrosTests",
            dependencies: ["MoyaMacrosPlugin"]
                + syntax(
                    "SwiftDiagnostics", "SwiftParser", "SwiftSyntax", "SwiftSyntaxMacroExpansion",
                    "SwiftSyntaxMacros"),
            packageAccess: false, swiftSettings: settings),
    ]
)
