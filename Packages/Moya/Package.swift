// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
    name: "Moya",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [
        .library(name: "Moya", targets: ["Moya"]),
        .library(name: "MoyaKit", targets: ["MoyaKit"]),
    ],
    dependencies: [
        .package(path: "../MoyaCore"),
        .package(path: "../MoyaLayers"),
        .package(path: "../MoyaMultipart"),
        .package(path: "../MoyaPlugins"),
        .package(path: "../MoyaStreaming"),
        .package(path: "../MoyaTesting"),
        .package(path: "../MoyaTransportCurl"),
        .package(path: "../MoyaTransportFoundation"),
    ],
    targets: [
        .target(name: "MoyaConcurrency", packageAccess: false, swiftSettings: settings),
        .target(
            name: "MoyaKit",
            dependencies: [
                .product(name: "MoyaCore", package: "MoyaCore"),
                .product(name: "MoyaLayers", package: "MoyaLayers"),
                .product(name: "MoyaMultipart", package: "MoyaMultipart"),
                .product(name: "MoyaPlugins", package: "MoyaPlugins"),
                .product(name: "MoyaStreaming", package: "MoyaStreaming"),
                .product(
                    name: "MoyaTransportCurl", package: "MoyaTransportCurl",
                    condition: .when(platforms: [.linux])),
                .product(name: "MoyaTransportFoundation", package: "MoyaTransportFoundation"),
            ],
            packageAccess: false,
            swiftSettings: settings
        ),
        .target(
            name: "Moya",
            dependencies: [
                "MoyaConcurrency", "MoyaKit", .product(name: "MoyaCore", package: "MoyaCore"),
            ],
            packageAccess: false,
            swiftSettings: settings
        ),
        .testTarget(
            name: "MoyaKitTests",
            dependencies: [
                "MoyaKit", .product(name: "MoyaMultipart", package: "MoyaMultipart"),
            ],
            packageAccess: false, swiftSettings: settings),
        .testTarget(
            name: "MoyaTests",
            dependencies: [
                "Moya",
                .product(name: "MoyaMockServer", package: "MoyaTesting"),
                .product(name: "MoyaTesting", package: "MoyaTesting"),
            ],
            packageAccess: false,
            swiftSettings: settings
        ),
    ]
)
