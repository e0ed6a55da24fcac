// swift-tools-version: 6.2
import PackageDescription

// A program that scripts/check-consumers links statically, with Swift's libraries and libcurl.
let package = Package(
    name: "Static",
    dependencies: [.package(name: "moya", path: "../../..")],
    targets: [
        .executableTarget(
            name: "fetch",
            dependencies: [
                .product(name: "MoyaCore", package: "moya"),
                .product(name: "MoyaTransportCurl", package: "moya"),
            ])
    ]
)
