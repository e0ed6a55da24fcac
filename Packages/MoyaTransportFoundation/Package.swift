// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
    name: "MoyaTransportFoundation",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [.library(name: "MoyaTransportFoundation", targets: ["MoyaTransportFoundation"])],
    dependencies: [
        .package(path: "../MoyaCore"),
        .package(path: "../MoyaTesting"),
        .package(path: "../../Tests/Support"),
    ],
    targets: [
        .target(
            name: "MoyaTransportFoundation",
            dependencies: [
                .product(name: "MoyaCore", package: "MoyaCore"),
                .product(name: "MoyaInternals", package: "MoyaCore"),
            ],
            packageAccess: false,
            swiftSettings: settings
        ),
        .testTarget(
            name: "MoyaTransportFoundationTests",
            dependencies: [
                "MoyaTransportFoundation",
                .product(name: "MoyaCore", package: "MoyaCore"),
                .product(name: "MoyaInternals", package: "MoyaCore"),
                .product(name: "MoyaMockServer", package: "MoyaTesting"),
                .product(name: "MoyaTransportConformance", package: "MoyaTesting"),
                .product(name: "MoyaTesting", package: "MoyaTesting"),
                .product(name: "MoyaTestSupport", package: "Support"),
            ],
            packageAccess: false,
            swiftSettings: settings
        ),
    ]
)
