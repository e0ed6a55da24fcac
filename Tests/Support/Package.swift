// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
]

/// Defined on platforms with libcurl.
let curl = SwiftSetting.define("CURL", .when(platforms: [.macOS, .linux, .android, .openbsd]))

// For the tests of this repository only: the root package has this target, but no product of it.
let package = Package(
    name: "MoyaTestSupport",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [.library(name: "MoyaTestSupport", targets: ["MoyaTestSupport"])],
    dependencies: [
        .package(path: "../../Packages/MoyaCore"),
        .package(path: "../../Packages/MoyaTesting"),
        .package(path: "../../Packages/MoyaTransportCurl"),
        .package(path: "../../Packages/MoyaTransportFoundation"),
    ],
    targets: [
        .target(
            name: "MoyaTestSupport",
            dependencies: [
                .product(name: "MoyaCore", package: "MoyaCore"),
                .product(name: "MoyaInternals", package: "MoyaCore"),
                .product(name: "MoyaMockServer", package: "MoyaTesting"),
                .product(name: "MoyaTesting", package: "MoyaTesting"),
                .product(name: "MoyaTransportCurl", package: "MoyaTransportCurl"),
                .product(
                    name: "MoyaTransportFoundation", package: "MoyaTransportFoundation"),
            ],
            packageAccess: false,
            swiftSettings: settings + [curl]
        ),
        .testTarget(
            name: "MoyaTestSupportTests",
            dependencies: ["MoyaTestSupport"],
            packageAccess: false,
            swiftSettings: settings
        ),
    ]
)
