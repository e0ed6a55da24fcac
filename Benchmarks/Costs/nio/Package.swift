// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "nio",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0")
    ],
    targets: [
        .executableTarget(
            name: "first-response",
            dependencies: [.product(name: "AsyncHTTPClient", package: "async-http-client")])
    ]
)
