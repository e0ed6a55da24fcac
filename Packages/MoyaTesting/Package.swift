// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "MoyaTesting",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8)],
    products: [.library(name: "MoyaTesting", targets: ["MoyaTesting"])],
    dependencies: [.package(path: "../MoyaCore"), .package(path: "../MoyaTransportCurl")],
    targets: [
        .target(
            name: "MoyaTesting",
            dependencies: [.product(name: "MoyaCore", package: "MoyaCore")],
            packageAccess: false,
            swiftSettings: settings
        ),
        .testTarget(
            name: "MoyaTestingTests",
            dependencies: [
                "MoyaTesting",
                .product(name: "MoyaCore", package: "MoyaCore"),
                .product(name: "MoyaTransportCurl", package: "MoyaTransportCurl"),
            ],
            packageAccess: false,
            swiftSettings: settings
        ),
    ]
)
