// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "moya", path: "..")],
    targets: [
        // The program under test. Reads requests from its standard input and sends them.
        .executableTarget(
            name: "fuzz-client",
            dependencies: [
                .product(name: "MoyaCore", package: "moya"),
                .product(name: "MoyaTransportCurl", package: "moya"),
                .product(name: "MoyaTransportFoundation", package: "moya"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]),
        // A reference client: libcurl with a new handle for each request.
        .executableTarget(
            name: "fuzz-reference",
            cSettings: [.unsafeFlags(["-O1", "-Wall", "-Wextra", "-Werror"])],
            linkerSettings: [.linkedLibrary("curl")]),
    ]
)
