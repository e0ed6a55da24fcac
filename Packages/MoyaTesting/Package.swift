// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
]

/// Dependencies of MoyaMockServer. Fetched only with the trait `MockServer`.
let mockServer: [Target.Dependency] = [
    .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["MockServer"])),
    .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["MockServer"])),
    .product(
        name: "NIOHPACK", package: "swift-nio-http2", condition: .when(traits: ["MockServer"])),
    .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["MockServer"])),
    .product(
        name: "NIOHTTP2", package: "swift-nio-http2", condition: .when(traits: ["MockServer"])),
    .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["MockServer"])),
    .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["MockServer"])),
    .product(name: "SwiftASN1", package: "swift-asn1", condition: .when(traits: ["MockServer"])),
    .product(name: "X509", package: "swift-certificates", condition: .when(traits: ["MockServer"])),
]

let core = Target.Dependency.product(name: "MoyaCore", package: "MoyaCore")
let internals = Target.Dependency.product(name: "MoyaInternals", package: "MoyaCore")
let curl = Target.Dependency.product(name: "MoyaTransportCurl", package: "MoyaTransportCurl")
let zlib = Target.Dependency.product(name: "CMoyaZlib", package: "MoyaCore")
let support = Target.Dependency.product(name: "MoyaTestSupport", package: "Support")

// Only Apple platforms use the privacy manifest.
#if os(macOS)
    let privacy: [Resource] = [.process("PrivacyInfo.xcprivacy")]
    let excluded: [String] = []
#else
    let privacy: [Resource] = []
    let excluded = ["PrivacyInfo.xcprivacy"]
#endif

let package = Package(
    name: "MoyaTesting",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [
        .library(name: "MoyaMockServer", targets: ["MoyaMockServer"]),
        .library(name: "MoyaStubs", targets: ["MoyaStubs"]),
        .library(name: "MoyaTesting", targets: ["MoyaTesting"]),
        .library(name: "MoyaTransportConformance", targets: ["MoyaTransportConformance"]),
    ],
    traits: [
        .trait(
            name: "MockServer",
            description: "NIOMockServer, which speaks TLS and HTTP/2, on SwiftNIO.")
    ],
    dependencies: [
        .package(path: "../MoyaCore"),
        .package(path: "../MoyaTransportCurl"),
        .package(path: "../../Tests/Support"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.10.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", "3.0.0"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.36.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
    ],
    targets: [
        .target(
            name: "MoyaStubs", dependencies: [core, internals], exclude: excluded,
            resources: privacy, packageAccess: false, swiftSettings: settings),
        .testTarget(
            name: "MoyaStubsTests",
            dependencies: ["MoyaStubs", "MoyaMockServer", core, internals, support, curl],
            packageAccess: false, swiftSettings: settings),

        .target(name: "CMoyaTesting", packageAccess: false),
        .target(
            name: "MoyaTesting", dependencies: ["CMoyaTesting", "MoyaStubs", core, internals],
            packageAccess: false, swiftSettings: settings),
        .testTarget(
            name: "MoyaTestingTests",
            dependencies: [
                "MoyaTesting", "MoyaMockServer", "MoyaStubs", core, internals, support, curl,
            ],
            packageAccess: false, swiftSettings: settings),

        .target(
            name: "MoyaMockServer",
            dependencies: [zlib, "MoyaStubs", core, internals] + mockServer,
            packageAccess: false, swiftSettings: settings),
        .testTarget(
            name: "MoyaMockServerTests",
            dependencies: [
                "MoyaMockServer", "MoyaTesting", "MoyaTransportConformance", core, internals,
                support, curl,
            ],
            packageAccess: false, swiftSettings: settings),

        .target(
            name: "MoyaTransportConformance",
            dependencies: ["MoyaMockServer", "MoyaStubs", core, internals],
            packageAccess: false, swiftSettings: settings),
        .testTarget(
            name: "MoyaTransportConformanceTests",
            dependencies: [
                "MoyaTransportConformance", "MoyaMockServer", "MoyaTesting", core, support,
            ],
            packageAccess: false, swiftSettings: settings),
    ]
)
