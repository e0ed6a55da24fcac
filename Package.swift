// swift-tools-version: 6.2
import PackageDescription

// The whole of Moya as one package, for users by URL. Each folder in Packages/ has a manifest of its own as well;
// scripts/check-manifests sees to it that the two say the same.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A module of the package `package`, or of the package of its own name.
func module(_ name: String, in package: String? = nil, needs dependencies: [Target.Dependency] = [])
    -> Target
{
    .target(
        name: name,
        dependencies: dependencies,
        path: "Packages/\(package ?? name)/Sources/\(name)",
        packageAccess: false,
        swiftSettings: settings
    )
}

/// The tests of the module `name`.
func tests(for name: String, needs dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.byName(name: name)] + dependencies,
        path: "Packages/\(name)/Tests/\(name)Tests",
        packageAccess: false,
        swiftSettings: settings
    )
}

let products = [
    "Moya", "MoyaCore", "MoyaMultipart", "MoyaPlugins", "MoyaTesting", "MoyaTransportCurl",
    "MoyaTransportFoundation",
]

let package = Package(
    name: "moya",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8)],
    products: products.map { .library(name: $0, targets: [$0]) },
    targets: [
        module("MoyaCore"),
        tests(for: "MoyaCore", needs: ["MoyaTesting"]),

        .systemLibrary(
            name: "CCurl",
            path: "Packages/MoyaTransportCurl/Sources/CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]
        ),
        module("MoyaTransportCurl", needs: ["CCurl", "MoyaCore"]),
        tests(for: "MoyaTransportCurl", needs: ["CCurl", "MoyaCore", "MoyaTesting"]),

        module("MoyaTransportFoundation", needs: ["MoyaCore"]),
        tests(for: "MoyaTransportFoundation", needs: ["MoyaCore", "MoyaTesting"]),

        module("MoyaMultipart", needs: ["MoyaCore"]),
        tests(
            for: "MoyaMultipart",
            needs: ["MoyaCore", "MoyaTesting", "MoyaTransportCurl", "MoyaTransportFoundation"]),

        module("MoyaPlugins", needs: ["MoyaCore"]),
        tests(for: "MoyaPlugins", needs: ["MoyaCore", "MoyaTesting"]),

        module("MoyaTesting", needs: ["MoyaCore"]),
        tests(for: "MoyaTesting", needs: ["MoyaCore"]),

        module("MoyaConcurrency", in: "Moya"),
        module(
            "Moya",
            needs: [
                "MoyaConcurrency", "MoyaCore", "MoyaMultipart", "MoyaPlugins",
                .target(name: "MoyaTransportCurl", condition: .when(platforms: [.linux])),
                "MoyaTransportFoundation",
            ]),
        tests(for: "Moya", needs: ["MoyaTesting"]),
    ]
)
