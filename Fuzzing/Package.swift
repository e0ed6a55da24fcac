// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v12)],
    dependencies: [.package(name: "moya", path: "..")],
    targets: [
        // The program under test: sends the requests that its standard input asks for.
        .executableTarget(
            name: "fuzz-client",
            dependencies: [
                .product(name: "MoyaCore", package: "moya"),
                .product(name: "MoyaTransportCurl", package: "moya"),
                .product(name: "MoyaTransportFoundation", package: "moya"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]),
        // A reference: libcurl with a new handle for each request.
        .executableTarget(
            name: "fuzz-reference",
            cSettings: [.unsafeFlags(["-O1", "-Wall", "-Wextra", "-Werror"])],
            linkerSettings: [.linkedLibrary("curl")]),
    ]
)
