// swift-tools-version: 6.2
import PackageDescription

// A program that declares an API by macros, with the settings of a new Xcode project: declarations
// are isolated to the main actor by default. Also tests of the requests that the macros' targets
// send.
let package = Package(
    name: "Macros",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "moya", path: "../../..", traits: ["Macros"])],
    targets: [
        .executableTarget(
            name: "macros",
            dependencies: [
                .product(name: "MoyaCore", package: "moya"),
                .product(name: "MoyaMacros", package: "moya"),
                .product(name: "MoyaMultipart", package: "moya"),
                .product(name: "MoyaTransportCurl", package: "moya"),
                .product(name: "MoyaTransportFoundation", package: "moya"),
            ],
            swiftSettings: [
                .swiftLanguageMode(.v6), .defaultIsolation(MainActor.self),
                .enableUpcomingFeature("InferIsolatedConformances"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]
        ),
        .testTarget(
            name: "MacrosTests",
            dependencies: [
                .product(name: "MoyaCore", package: "moya"),
                .product(name: "MoyaMacros", package: "moya"),
                .product(name: "MoyaMockServer", package: "moya"),
                .product(name: "MoyaMultipart", package: "moya"),
                .product(name: "MoyaTesting", package: "moya"),
                .product(name: "MoyaTransportCurl", package: "moya"),
                .product(name: "MoyaTransportFoundation", package: "moya"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
    ]
)
