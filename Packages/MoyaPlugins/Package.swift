// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// What somebody who does not name the trait never fetches.
let optional: [Target.Dependency] = [
    .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Crypto"]))
]

let package = Package(
    name: "MoyaPlugins",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8)],
    products: [.library(name: "MoyaPlugins", targets: ["MoyaPlugins"])],
    traits: [
        .trait(
            name: "Crypto",
            description: "Request signing and PKCE where there is no CryptoKit, with swift-crypto.")
    ],
    dependencies: [
        .package(path: "../MoyaCore"),
        .package(path: "../MoyaTesting"),
        .package(url: "https://github.com/apple/swift-crypto.git", "3.0.0"..<"5.0.0"),
    ],
    targets: [
        .target(
            name: "MoyaPlugins",
            dependencies: [.product(name: "MoyaCore", package: "MoyaCore")] + optional,
            packageAccess: false,
            swiftSettings: settings
        ),
        .testTarget(
            name: "MoyaPluginsTests",
            dependencies: [
                "MoyaPlugins",
                .product(name: "MoyaCore", package: "MoyaCore"),
                .product(name: "MoyaTesting", package: "MoyaTesting"),
            ],
            packageAccess: false,
            swiftSettings: settings
        ),
    ]
)
