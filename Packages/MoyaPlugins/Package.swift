// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
    name: "MoyaPlugins",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [.library(name: "MoyaPlugins", targets: ["MoyaPlugins"])],
    traits: [
        .trait(name: "Logging", description: "Logs to swift-log.")
    ],
    dependencies: [
        .package(path: "../MoyaCore"),
        .package(path: "../MoyaLayers"),
        .package(path: "../MoyaTesting"),
        .package(path: "../MoyaTransportCurl"),
        .package(path: "../MoyaTransportFoundation"),
        .package(path: "../../Tests/Support"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
    ],
    targets: [
        .target(
            name: "MoyaPlugins",
            dependencies: [
                .product(name: "MoyaCore", package: "MoyaCore"),
                .product(name: "MoyaInternals", package: "MoyaCore"),
                .product(
                    name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
            ],
            packageAccess: false,
            swiftSettings: settings
        ),
        .testTarget(
            name: "MoyaPluginsTests",
            dependencies: [
                "MoyaPlugins",
                .product(name: "MoyaCore", package: "MoyaCore"),
                .product(name: "MoyaInternals", package: "MoyaCore"),
                .product(name: "MoyaLayers", package: "MoyaLayers"),
                .product(name: "MoyaTesting", package: "MoyaTesting"),
                .product(name: "MoyaTestSupport", package: "Support"),
                .product(name: "MoyaTransportCurl", package: "MoyaTransportCurl"),
                .product(name: "MoyaTransportFoundation", package: "MoyaTransportFoundation"),
            ],
            packageAccess: false,
            swiftSettings: settings
        ),
    ]
)
