// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "MoyaPlugins",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8)],
    products: [.library(name: "MoyaPlugins", targets: ["MoyaPlugins"])],
    dependencies: [.package(path: "../MoyaCore"), .package(path: "../MoyaTesting")],
    targets: [
        .target(
            name: "MoyaPlugins",
            dependencies: [.product(name: "MoyaCore", package: "MoyaCore")],
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
