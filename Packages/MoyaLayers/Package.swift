// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
]

let logging = Target.Dependency.product(
    name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"]))
let tracing = Target.Dependency.product(
    name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"]))

/// Packages that are fetched only if their trait is on.
let optional: [Target.Dependency] = [
    logging,
    .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
    tracing,
]

/// Packages with which the tests observe logs, metrics and spans.
let optionalForTests: [Target.Dependency] = [
    logging, tracing,
    .product(
        name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
    .product(
        name: "InMemoryTracing", package: "swift-distributed-tracing",
        condition: .when(traits: ["Tracing"])),
]

// Only Apple's platforms use the privacy manifest.
#if os(macOS)
    let privacy: [Resource] = [.process("PrivacyInfo.xcprivacy")]
    let excluded: [String] = []
#else
    let privacy: [Resource] = []
    let excluded = ["PrivacyInfo.xcprivacy"]
#endif

let package = Package(
    name: "MoyaLayers",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [.library(name: "MoyaLayers", targets: ["MoyaLayers"])],
    traits: [
        .trait(name: "Logging", description: "Logs to swift-log."),
        .trait(name: "Metrics", description: "Metrics for swift-metrics."),
        .trait(name: "Tracing", description: "Spans for swift-distributed-tracing."),
    ],
    dependencies: [
        .package(path: "../MoyaCore"),
        .package(
            path: "../MoyaPlugins",
            traits: [.trait(name: "Logging", condition: .when(traits: ["Logging"]))]),
        .package(path: "../MoyaTesting"),
        .package(path: "../MoyaTransportCurl"),
        .package(path: "../MoyaTransportFoundation"),
        .package(path: "../../Tests/Support"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.3.0"),
    ],
    targets: [
        .target(
            name: "MoyaLayers",
            dependencies: [
                .product(name: "MoyaCore", package: "MoyaCore"),
                .product(name: "MoyaInternals", package: "MoyaCore"),
            ] + optional,
            exclude: excluded,
            resources: privacy,
            packageAccess: false,
            swiftSettings: settings
        ),
        .testTarget(
            name: "MoyaLayersTests",
            dependencies: [
                "MoyaLayers",
                .product(name: "MoyaCore", package: "MoyaCore"),
                .product(name: "MoyaInternals", package: "MoyaCore"),
                .product(name: "MoyaPlugins", package: "MoyaPlugins"),
                .product(name: "MoyaMockServer", package: "MoyaTesting"),
                .product(name: "MoyaTesting", package: "MoyaTesting"),
                .product(name: "MoyaTestSupport", package: "Support"),
                .product(name: "MoyaTransportCurl", package: "MoyaTransportCurl"),
                .product(name: "MoyaTransportFoundation", package: "MoyaTransportFoundation"),
            ] + optionalForTests,
            packageAccess: false,
            swiftSettings: settings
        ),
    ]
)
