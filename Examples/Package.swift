// swift-tools-version: 6.2
import PackageDescription

let services = [
    ("Logging", "swift-log"), ("ServiceLifecycle", "swift-service-lifecycle"),
    ("UnixSignals", "swift-service-lifecycle"),
].map { name, package in
    Target.Dependency.product(
        name: name, package: package, condition: .when(traits: ["ServiceLifecycle"]))
}

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v13)],
    traits: [
        .trait(name: "Macros", description: "BookMacros, which needs swift-syntax."),
        .trait(
            name: "ServiceLifecycle",
            description: "rates-service, which needs swift-service-lifecycle."),
    ],
    dependencies: [
        .package(
            name: "moya", path: "..",
            traits: [
                .trait(name: "Macros", condition: .when(traits: ["Macros"])),
                .trait(name: "ServiceLifecycle", condition: .when(traits: ["ServiceLifecycle"])),
            ]),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(
            url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.8.0"),
    ],
    targets: [
        // An app's code and its tests.
        .target(
            name: "Bookshelf",
            dependencies: [.product(name: "Moya", package: "moya")],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        .testTarget(
            name: "BookshelfTests",
            dependencies: [
                "Bookshelf",
                .product(name: "Moya", package: "moya"),
                .product(name: "MoyaMockServer", package: "moya"),
                .product(name: "MoyaTesting", package: "moya"),
                .product(name: "MoyaTransportCurl", package: "moya"),
            ],
            resources: [.copy("openapi.json"), .copy("bookshelf.har")],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        // The API of Bookshelf, declared by macros. Empty without the trait Macros.
        .target(
            name: "BookMacros",
            dependencies: [
                "Bookshelf",
                .product(name: "Moya", package: "moya"),
                .product(name: "MoyaMacros", package: "moya", condition: .when(traits: ["Macros"])),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        .testTarget(
            name: "BookMacrosTests",
            dependencies: [
                "BookMacros", "Bookshelf",
                .product(name: "Moya", package: "moya"),
                .product(name: "MoyaMacros", package: "moya", condition: .when(traits: ["Macros"])),
                .product(name: "MoyaTesting", package: "moya"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        // A transport over plain sockets, and the conformance suite that it passes.
        .target(
            name: "SocketTransport",
            dependencies: [.product(name: "MoyaCore", package: "moya")],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        .testTarget(
            name: "SocketTransportTests",
            dependencies: [
                "SocketTransport",
                .product(name: "MoyaTransportConformance", package: "moya"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        // A server program, which ends gracefully. Does nothing without the trait ServiceLifecycle.
        .executableTarget(
            name: "rates-service",
            dependencies: [
                .product(name: "MoyaKit", package: "moya"),
                .product(name: "MoyaTransportCurl", package: "moya"),
            ] + services,
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        .testTarget(
            name: "RatesServiceTests",
            dependencies: [
                "rates-service",
                .product(name: "MoyaKit", package: "moya"),
                .product(name: "MoyaMockServer", package: "moya"),
                .product(name: "MoyaStubs", package: "moya"),
            ] + services,
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        .executableTarget(
            name: "moya-demo",
            dependencies: [
                .product(name: "MoyaCore", package: "moya"),
                .product(name: "MoyaLayers", package: "moya"),
                .product(name: "MoyaMockServer", package: "moya"),
                .product(name: "MoyaMultipart", package: "moya"),
                .product(name: "MoyaStreaming", package: "moya"),
                .product(name: "MoyaStubs", package: "moya"),
                .product(name: "MoyaTesting", package: "moya"),
                .product(name: "MoyaTransportCurl", package: "moya"),
                .product(name: "MoyaTransportFoundation", package: "moya"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        .testTarget(
            name: "DemoTests",
            dependencies: [
                "moya-demo",
                .product(name: "MoyaCore", package: "moya"),
                .product(name: "MoyaLayers", package: "moya"),
                .product(name: "MoyaMockServer", package: "moya"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
    ]
)
