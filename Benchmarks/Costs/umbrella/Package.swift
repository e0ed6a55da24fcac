// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "umbrella",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "moya", path: "../../..")],
    targets: [
        .executableTarget(
            name: "first-response", dependencies: [.product(name: "Moya", package: "moya")])
    ]
)
