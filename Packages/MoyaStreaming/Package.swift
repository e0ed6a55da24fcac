// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
    name: "MoyaStreaming",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [.library(name: "MoyaStreaming", targets: ["MoyaStreaming"])],
    dependencies: [
        .package(path: "../MoyaCore"),
        .package(path: "../MoyaTesting"),
        .package(path: "../MoyaTransportCurl"),
        .package(path: "../../Tests/Support"),
    ],
    targets: [
        .target(
            name: "MoyaStreaming",
            dependencies: [
                .product(name: "MoyaCore", package: "MoyaCore"),
                .product(name: "MoyaInternals", package: "MoyaCore"),
            ],
            packageAccess: false,
            swiftSettings: settings
        ),
        .testTarget(
            name: "MoyaStreamingTests",
            dependencies: [
                "MoyaStreaming",
                .product(name: "MoyaCore", package: "MoyaCore"),
                .product(name: "MoyaInternals", package: "MoyaCore"),
                .product(name: "MoyaMockServer", package: "MoyaTesting"),
                .product(name: "MoyaTesting", package: "MoyaTesting"),
                .product(name: "MoyaTestSupport", package: "Support"),
                .product(name: "MoyaTransportCurl", package: "MoyaTransportCurl"),
            ],
            packageAccess: false,
            swiftSettings: settings
        ),
    ]
)
