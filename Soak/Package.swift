// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Soak",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "moya", path: "..")],
    targets: [
        .executableTarget(
            name: "soak",
            dependencies: [
                .product(name: "MoyaCore", package: "moya"),
                .product(name: "MoyaMockServer", package: "moya"),
                .product(name: "MoyaMultipart", package: "moya"),
                .product(name: "MoyaStubs", package: "moya"),
                .product(name: "MoyaTransportConformance", package: "moya"),
                .product(name: "MoyaTransportCurl", package: "moya"),
                .product(name: "MoyaTransportFoundation", package: "moya"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
