// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// The whole of Moya as one package, for users by URL. Each folder in Packages/ has a manifest of its own as well;
// scripts/check-manifests sees to it that the two say the same.

// Not MemberImportVisibility: which module owns a C struct that several modules include (`stat`, `timespec`) depends on
// what else is compiled along with a file, so the build of somebody else's program would fail by chance.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
]

// Not on a Mac: pkg-config finds libraries for macOS, and Xcode would link those into programs for iOS. Apple's SDKs
// have libcurl (macOS alone) and zlib. The privacy manifests are for Apple's platforms alone.
#if os(macOS)
    let libcurl: String? = nil
    let zlib: String? = nil
    let privacy: [Resource] = [.process("PrivacyInfo.xcprivacy")]
    let excluded: [String] = []
#else
    let libcurl: String? = "libcurl"
    let zlib: String? = "zlib"
    let privacy: [Resource] = []
    let excluded = ["PrivacyInfo.xcprivacy"]
#endif

/// Where there is a libcurl: Apple's other systems have none, and MoyaTransportCurl has nothing in it there.
let curl = SwiftSetting.define("CURL", .when(platforms: [.macOS, .linux, .android, .openbsd]))

/// Modules that use what Apple wants a reason for: they have a privacy manifest.
let modulesWithPrivacyManifest = ["MoyaCore", "MoyaLayers", "MoyaMultipart", "MoyaStubs"]

/// A module of the package `package`, or of the package of its own name.
func module(
    _ name: String, in package: String? = nil, needs dependencies: [Target.Dependency] = [],
    defines: [SwiftSetting] = []
) -> Target {
    let hasPrivacyManifest = modulesWithPrivacyManifest.contains(name)
    return .target(
        name: name,
        dependencies: dependencies,
        path: "Packages/\(package ?? name)/Sources/\(name)",
        exclude: hasPrivacyManifest ? excluded : [],
        resources: hasPrivacyManifest ? privacy : [],
        packageAccess: false,
        swiftSettings: settings + defines
    )
}

/// The tests of the module `name`.
func tests(
    for name: String, in package: String? = nil, needs dependencies: [Target.Dependency] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.byName(name: name)] + dependencies,
        path: "Packages/\(package ?? name)/Tests/\(name)Tests",
        packageAccess: false,
        swiftSettings: settings
    )
}

let products = [
    "Moya", "MoyaCore", "MoyaKit", "MoyaLayers", "MoyaMacros", "MoyaMockServer", "MoyaMultipart",
    "MoyaPlugins", "MoyaStreaming", "MoyaStubs", "MoyaTesting", "MoyaTransportConformance",
    "MoyaTransportCurl",
    "MoyaTransportFoundation", "MoyaTransportNIO",
]

// Each is fetched and used only where the trait of its name is on.
let rxSwift = Target.Dependency.product(
    name: "RxSwift", package: "RxSwift", condition: .when(traits: ["RxSwift"]))
let reactiveSwift = Target.Dependency.product(
    name: "ReactiveSwift", package: "ReactiveSwift", condition: .when(traits: ["ReactiveSwift"]))
let openCombine = Target.Dependency.product(
    name: "OpenCombine", package: "OpenCombine",
    condition: .when(
        platforms: [.linux, .android, .windows, .wasi, .openbsd], traits: ["OpenCombine"]))

/// What the tests of each module of MoyaReactive use.
let reactiveTesting: [Target.Dependency] = [
    "MoyaCore", "MoyaMockServer", "MoyaReactiveTestSupport", "MoyaTesting", "MoyaTransportCurl",
]

let crypto = Target.Dependency.product(
    name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Crypto"]))
let logging = Target.Dependency.product(
    name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"]))

/// Dependencies of MoyaLayers that are fetched only where the trait is on.
let layersOptional: [Target.Dependency] = [
    logging,
    .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
    .product(
        name: "Tracing", package: "swift-distributed-tracing",
        condition: .when(traits: ["Tracing"])),
]

/// What the tests of MoyaLayers watch those with.
let layersTestsOptional: [Target.Dependency] = [
    logging,
    .product(
        name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
    .product(
        name: "InMemoryTracing", package: "swift-distributed-tracing",
        condition: .when(traits: ["Tracing"])),
]

/// What `HTTPClientTransport` and its tests use, fetched only where the trait is on.
let httpClient: [Target.Dependency] =
    [
        ("AsyncHTTPClient", "async-http-client"), ("NIOConcurrencyHelpers", "swift-nio"),
        ("NIOCore", "swift-nio"), ("NIOHTTP1", "swift-nio"),
        ("NIOHTTPCompression", "swift-nio-extras"), ("NIOPosix", "swift-nio"),
        ("NIOSSL", "swift-nio-ssl"),
    ].map { name, package in
        .product(name: name, package: package, condition: .when(traits: ["AsyncHTTPClient"]))
    }

/// What the tests of `HTTPClientTransport` use besides.
let embedded = Target.Dependency.product(
    name: "NIOEmbedded", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"]))

/// What `NIOMockServer` is made of.
let mockServer: [Target.Dependency] =
    [
        ("Crypto", "swift-crypto"), ("NIOCore", "swift-nio"), ("NIOHPACK", "swift-nio-http2"),
        ("NIOHTTP1", "swift-nio"), ("NIOHTTP2", "swift-nio-http2"), ("NIOPosix", "swift-nio"),
        ("NIOSSL", "swift-nio-ssl"), ("SwiftASN1", "swift-asn1"), ("X509", "swift-certificates"),
    ].map { name, package in
        .product(name: name, package: package, condition: .when(traits: ["MockServer"]))
    }

/// Products of swift-syntax, for the macros, fetched and used only where the trait is on.
func syntax(_ names: String...) -> [Target.Dependency] {
    names.map {
        .product(name: $0, package: "swift-syntax", condition: .when(traits: ["Macros"]))
    }
}

let package = Package(
    name: "moya",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: products.map { .library(name: $0, targets: [$0]) } + [
        .library(name: "MoyaCombine", targets: ["MoyaCombine", "CombineMoya"]),
        .library(name: "MoyaReactiveSwift", targets: ["MoyaReactiveSwift", "ReactiveMoya"]),
        .library(name: "MoyaRxSwift", targets: ["MoyaRxSwift", "RxMoya"]),
        // The same by the names of Moya's products.
        .library(name: "CombineMoya", targets: ["CombineMoya"]),
        .library(name: "ReactiveMoya", targets: ["ReactiveMoya"]),
        .library(name: "RxMoya", targets: ["RxMoya"]),
    ],
    traits: [
        .trait(
            name: "AsyncHTTPClient",
            description: "HTTPClientTransport of MoyaTransportNIO, on async-http-client."),
        .trait(
            name: "Crypto",
            description: "SHA-2 with swift-crypto where there is no CryptoKit."),
        .trait(name: "Logging", description: "Logs to swift-log."),
        .trait(name: "Macros", description: "Targets declared by macros, with swift-syntax."),
        .trait(name: "Metrics", description: "Metrics for swift-metrics."),
        .trait(
            name: "MockServer",
            description: "NIOMockServer, which speaks TLS and HTTP/2, on SwiftNIO."),
        .trait(name: "OpenCombine", description: "MoyaCombine where there is no Combine"),
        .trait(name: "ReactiveSwift", description: "MoyaReactiveSwift"),
        .trait(name: "RxSwift", description: "MoyaRxSwift"),
        .trait(name: "Tracing", description: "Spans for swift-distributed-tracing."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.10.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", "3.0.0"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.26.0"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.36.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax.git", "603.0.0"..<"604.0.0"),
        .package(
            url: "https://github.com/OpenCombine/OpenCombine", .upToNextMinor(from: "0.14.0")),
        .package(url: "https://github.com/ReactiveCocoa/ReactiveSwift", from: "7.2.0"),
        .package(url: "https://github.com/ReactiveX/RxSwift", from: "6.10.0"),
    ],
    targets: [
        // No products: what several modules use and users do not see.
        .systemLibrary(
            name: "CMoyaZlib",
            path: "Packages/MoyaCore/Sources/CMoyaZlib",
            pkgConfig: zlib,
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
        ),
        module("MoyaInternals", in: "MoyaCore", needs: [crypto]),
        module("MoyaCore", needs: ["MoyaInternals"]),
        tests(for: "MoyaCore", needs: ["MoyaInternals", "MoyaTestSupport", "MoyaTesting"]),

        .systemLibrary(
            name: "CMoyaCurl",
            path: "Packages/MoyaTransportCurl/Sources/CMoyaCurl",
            pkgConfig: libcurl,
            providers: [.apt(["libcurl4-openssl-dev", "zlib1g-dev"]), .brew(["curl", "zlib"])]
        ),
        module(
            "MoyaTransportCurl", needs: ["CMoyaCurl", "MoyaCore", "MoyaInternals"],
            defines: [curl]),
        tests(
            for: "MoyaTransportCurl",
            needs: [
                "CMoyaCurl", "MoyaCore", "MoyaInternals", "MoyaMockServer", "MoyaTestSupport",
                "MoyaTesting", "MoyaTransportConformance",
            ]),

        module("MoyaTransportFoundation", needs: ["MoyaCore", "MoyaInternals"]),
        tests(
            for: "MoyaTransportFoundation",
            needs: [
                "MoyaCore", "MoyaInternals", "MoyaMockServer", "MoyaTestSupport", "MoyaTesting",
                "MoyaTransportConformance",
            ]),

        module("MoyaTransportNIO", needs: ["MoyaCore"] + httpClient),
        tests(
            for: "MoyaTransportNIO",
            needs: [
                "MoyaCore", "MoyaMockServer", "MoyaTransportConformance", embedded,
            ] + httpClient),

        module("MoyaMultipart", needs: ["CMoyaZlib", "MoyaCore", "MoyaInternals"]),
        tests(
            for: "MoyaMultipart",
            needs: [
                "CMoyaZlib", "MoyaCore", "MoyaInternals", "MoyaMockServer", "MoyaStreaming",
                "MoyaTestSupport", "MoyaTesting", "MoyaTransportCurl", "MoyaTransportFoundation",
            ]),

        .macro(
            name: "MoyaMacrosPlugin",
            dependencies: syntax(
                "SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftParser", "SwiftSyntax",
                "SwiftSyntaxBuilder", "SwiftSyntaxMacros"),
            path: "Packages/MoyaMacros/Sources/MoyaMacrosPlugin", packageAccess: false,
            swiftSettings: settings),
        module("MoyaMacros", needs: ["MoyaCore", "MoyaMacrosPlugin"]),

        module("MoyaStreaming", needs: ["MoyaCore"]),
        tests(
            for: "MoyaStreaming",
            needs: [
                "MoyaCore", "MoyaInternals", "MoyaMockServer", "MoyaTestSupport", "MoyaTesting",
                "MoyaTransportCurl",
            ]),

        module("MoyaPlugins", needs: ["MoyaCore", "MoyaInternals", logging]),
        tests(
            for: "MoyaPlugins",
            needs: [
                "MoyaCore", "MoyaInternals", "MoyaLayers", "MoyaTestSupport", "MoyaTesting",
                "MoyaTransportCurl", "MoyaTransportFoundation",
            ]),

        module("MoyaLayers", needs: ["MoyaCore", "MoyaInternals"] + layersOptional),
        tests(
            for: "MoyaLayers",
            needs: [
                "MoyaCore", "MoyaInternals", "MoyaMockServer", "MoyaPlugins", "MoyaTestSupport",
                "MoyaTesting", "MoyaTransportCurl", "MoyaTransportFoundation",
            ] + layersTestsOptional),

        module("MoyaStubs", in: "MoyaTesting", needs: ["MoyaCore", "MoyaInternals"]),
        tests(
            for: "MoyaStubs", in: "MoyaTesting",
            needs: [
                "MoyaCore", "MoyaInternals", "MoyaMockServer", "MoyaTestSupport",
                "MoyaTransportCurl",
            ]),

        .target(
            name: "CMoyaTesting", path: "Packages/MoyaTesting/Sources/CMoyaTesting",
            packageAccess: false),
        module("MoyaTesting", needs: ["CMoyaTesting", "MoyaCore", "MoyaInternals", "MoyaStubs"]),
        tests(
            for: "MoyaTesting",
            needs: [
                "MoyaCore", "MoyaInternals", "MoyaMockServer", "MoyaTestSupport",
                "MoyaTransportCurl",
            ]),

        module(
            "MoyaMockServer", in: "MoyaTesting",
            needs: ["CMoyaZlib", "MoyaCore", "MoyaInternals", "MoyaStubs"] + mockServer),
        tests(
            for: "MoyaMockServer", in: "MoyaTesting",
            needs: [
                "MoyaCore", "MoyaInternals", "MoyaTestSupport", "MoyaTesting",
                "MoyaTransportConformance", "MoyaTransportCurl",
            ]),

        module(
            "MoyaTransportConformance", in: "MoyaTesting",
            needs: ["MoyaCore", "MoyaInternals", "MoyaMockServer", "MoyaStubs"]),
        tests(
            for: "MoyaTransportConformance", in: "MoyaTesting",
            needs: ["MoyaCore", "MoyaMockServer", "MoyaTestSupport", "MoyaTesting"]),

        .target(
            name: "MoyaTestSupport",
            dependencies: [
                "MoyaCore", "MoyaInternals", "MoyaMockServer", "MoyaTesting", "MoyaTransportCurl",
                "MoyaTransportFoundation",
            ],
            path: "Tests/Support/Sources/MoyaTestSupport", packageAccess: false,
            swiftSettings: settings),
        .testTarget(
            name: "MoyaTestSupportTests", dependencies: ["MoyaTestSupport"],
            path: "Tests/Support/Tests/MoyaTestSupportTests", packageAccess: false,
            swiftSettings: settings),

        module(
            "MoyaKit", in: "Moya",
            needs: [
                "MoyaCore", "MoyaLayers", "MoyaMultipart", "MoyaPlugins",
                "MoyaStreaming",
                .target(name: "MoyaTransportCurl", condition: .when(platforms: [.linux])),
                "MoyaTransportFoundation",
            ]),
        tests(for: "MoyaKit", in: "Moya"),
        module("MoyaConcurrency", in: "Moya"),
        module("Moya", needs: ["MoyaConcurrency", "MoyaCore", "MoyaKit"]),
        tests(for: "Moya", needs: ["MoyaMockServer", "MoyaTesting"]),

        module("MoyaEvents", in: "MoyaReactive", needs: ["MoyaCore", "MoyaInternals"]),
        .target(
            name: "MoyaReactiveTestSupport", dependencies: ["MoyaCore", "MoyaInternals"],
            path: "Packages/MoyaReactive/Tests/Support", packageAccess: false,
            swiftSettings: settings),
        tests(for: "MoyaEvents", in: "MoyaReactive", needs: reactiveTesting),

        module("MoyaCombine", in: "MoyaReactive", needs: ["MoyaCore", "MoyaEvents", openCombine]),
        module("CombineMoya", in: "MoyaReactive", needs: ["MoyaCombine"]),

        module(
            "MoyaReactiveSwift", in: "MoyaReactive",
            needs: ["MoyaCore", "MoyaEvents", reactiveSwift]),
        module("ReactiveMoya", in: "MoyaReactive", needs: ["MoyaReactiveSwift"]),

        module("MoyaRxSwift", in: "MoyaReactive", needs: ["MoyaCore", "MoyaEvents", rxSwift]),
        module("RxMoya", in: "MoyaReactive", needs: ["MoyaRxSwift"]),

        // One suite for the three frameworks.
        .testTarget(
            name: "MoyaReactiveTests",
            dependencies: reactiveTesting + [
                "MoyaCombine", "CombineMoya", "ReactiveMoya", "RxMoya",
                openCombine, reactiveSwift, rxSwift,
            ],
            path: "Packages/MoyaReactive/Tests/MoyaReactiveTests", packageAccess: false,
            swiftSettings: settings),
    ]
)
