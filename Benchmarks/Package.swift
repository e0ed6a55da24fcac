// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "moya", path: "..", traits: ["Logging", "Metrics", "Tracing"]),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
    ],
    targets: [
        // A C program that calls libcurl directly: the upper limit for clients built on libcurl.
        .executableTarget(
            name: "bench-limit",
            cSettings: [.unsafeFlags(["-O2", "-Wall", "-Wextra", "-Werror"])],
            linkerSettings: [.linkedLibrary("curl")]),
        .executableTarget(
            name: "bench-client",
            dependencies: [
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MoyaCore", package: "moya"),
                .product(name: "MoyaLayers", package: "moya"),
                .product(name: "MoyaMultipart", package: "moya"),
                .product(name: "MoyaTransportCurl", package: "moya"),
                .product(name: "MoyaTransportFoundation", package: "moya"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
    ]
)
