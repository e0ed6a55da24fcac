// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
]

/// Dependencies that are fetched only if the trait `AsyncHTTPClient` is on.
let httpClient: [Target.Dependency] = [
    ("AsyncHTTPClient", "async-http-client"), ("NIOConcurrencyHelpers", "swift-nio"),
    ("NIOCore", "swift-nio"), ("NIOHTTP1", "swift-nio"), ("NIOHTTP2", "swift-nio-http2"),
    ("NIOHTTPCompression", "swift-nio-extras"), ("NIOPosix", "swift-nio"),
    ("NIOSSL", "swift-nio-ssl"),
].map { name, package in
    .product(name: name, package: package, condition: .when(traits: ["AsyncHTTPClient"]))
}

/// Further dependency of the tests.
let embedded = Target.Dependency.product(
    name: "NIOEmbedded", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"]))

let package = Package(
    name: "MoyaTransportNIO",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [.library(name: "MoyaTransportNIO", targets: ["MoyaTransportNIO"])],
    traits: [
        .trait(
            name: "AsyncHTTPClient",
            description: "HTTPClientTransport of MoyaTransportNIO, on async-http-client."),
        .trait(
            name: "MockServer",
            description: "NIOMockServer, which speaks TLS and HTTP/2, on SwiftNIO."),
    ],
    dependencies: [
        .package(path: "../MoyaCore"),
        .package(
            path: "../MoyaTesting",
            traits: [.trait(name: "MockServer", condition: .when(traits: ["MockServer"]))]),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.26.0"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.36.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
    ],
    targets: [
        .target(
            name: "MoyaTransportNIO",
            dependencies: [.product(name: "MoyaCore", package: "MoyaCore")] + httpClient,
            packageAccess: false,
            swiftSettings: settings
        ),
        .testTarget(
            name: "MoyaTransportNIOTests",
            dependencies: [
                "MoyaTransportNIO",
                .product(name: "MoyaCore", package: "MoyaCore"),
                .product(name: "MoyaMockServer", package: "MoyaTesting"),
                .product(name: "MoyaTransportConformance", package: "MoyaTesting"),
                embedded,
            ] + httpClient,
            packageAccess: false,
            swiftSettings: settings
        ),
    ]
)
