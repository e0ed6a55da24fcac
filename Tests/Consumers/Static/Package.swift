// swift-tools-version: 6.2
import PackageDescription

// A program that scripts/check-consumers links statically, with Swift's libraries and libcurl. The
// release build of every module, too.
let products = [
    "CombineMoya", "Moya", "MoyaCombine", "MoyaCore", "MoyaKit", "MoyaLayers", "MoyaMacros",
    "MoyaMultipart", "MoyaOpenAPI", "MoyaPlugins", "MoyaReactiveSwift", "MoyaRxSwift",
    "MoyaStreaming", "MoyaStubs", "MoyaTransportCurl", "MoyaTransportFoundation",
    "MoyaTransportNIO", "MoyaXML", "ReactiveMoya", "RxMoya",
]

let package = Package(
    name: "Static",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "moya", path: "../../..")],
    targets: [
        .executableTarget(
            name: "fetch",
            dependencies: [
                "EveryModule",
                .product(name: "MoyaCore", package: "moya"),
                .product(name: "MoyaTransportCurl", package: "moya"),
            ]),
        .target(
            name: "EveryModule",
            dependencies: products.map { .product(name: $0, package: "moya") }),
    ]
)
