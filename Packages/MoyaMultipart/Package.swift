// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
]

// The privacy manifest is for Apple's platforms alone.
#if os(macOS)
    let privacy: [Resource] = [.process("PrivacyInfo.xcprivacy")]
    let excluded: [String] = []
#else
    let privacy: [Resource] = []
    let excluded = ["PrivacyInfo.xcprivacy"]
#endif

let package = Package(
    name: "MoyaMultipart",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [.library(name: "MoyaMultipart", targets: ["MoyaMultipart"])],
    dependencies: [
        .package(path: "../MoyaCore"),
        .package(path: "../MoyaStreaming"),
        .package(path: "../MoyaTesting"),
        .package(path: "../MoyaTransportCurl"),
        .package(path: "../MoyaTransportFoundation"),
        .package(path: "../../Tests/Support"),
    ],
    targets: [
        .target(
            name: "MoyaMultipart",
            dependencies: [
                .product(name: "CMoyaZlib", package: "MoyaCore"),
                .product(name: "MoyaCore", package: "MoyaCore"),
                .product(name: "MoyaInternals", package: "MoyaCore"),
            ],
            exclude: excluded,
            resources: privacy,
            packageAccess: false,
            swiftSettings: settings
        ),
        .testTarget(
            name: "MoyaMultipartTests",
            dependencies: [
                "MoyaMultipart",
                .product(name: "CMoyaZlib", package: "MoyaCore"),
                .product(name: "MoyaCore", package: "MoyaCore"),
                .product(name: "MoyaInternals", package: "MoyaCore"),
                .product(name: "MoyaStreaming", package: "MoyaStreaming"),
                .product(name: "MoyaMockServer", package: "MoyaTesting"),
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
