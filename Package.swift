// swift-tools-version: 6.2
import CompilerPluginSupport
import Foundation
import PackageDescription

// All modules in one package, for users who depend on it by URL. Each folder in Packages/ is also a
// package of its own: its manifest is a link to this one, whose end selects the targets.

// MemberImportVisibility is off: which module owns a C struct that several modules include (`stat`,
// `timespec`) depends on the files that are compiled together. Builds of users' programs would fail
// by chance.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
]

// No pkg-config on a Mac: it finds libraries for macOS, and Xcode would link those into programs
// for iOS. Apple's SDKs have zlib, and libcurl for macOS only. Privacy manifests are for Apple
// platforms only.
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

/// Defined on platforms with libcurl. Elsewhere, as on iOS, MoyaTransportCurl is empty. The SDK for
/// Android has libcurl inside of Foundation, without headers.
let curl = SwiftSetting.define("CURL", .when(platforms: [.macOS, .linux, .openbsd]))

/// Modules with a privacy manifest: they use APIs that Apple requires a reason for.
let modulesWithPrivacyManifest = [
    "MoyaCore", "MoyaInternals", "MoyaLayers", "MoyaMultipart", "MoyaStubs",
]

/// Returns the target of the module `name` in the package `package`. `nil` is the package with the
/// module's name.
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

/// Returns the test target of the module `name`.
func tests(
    for name: String, in package: String? = nil, needs dependencies: [Target.Dependency] = [],
    excluding excluded: [String] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.byName(name: name)] + dependencies,
        path: "Packages/\(package ?? name)/Tests/\(name)Tests",
        exclude: excluded,
        packageAccess: false,
        swiftSettings: settings
    )
}

let products = [
    "Moya", "MoyaCore", "MoyaKit", "MoyaLayers", "MoyaMacros", "MoyaMockServer", "MoyaMultipart",
    "MoyaOpenAPI", "MoyaPlugins", "MoyaStreaming", "MoyaStubs", "MoyaTesting",
    "MoyaTransportConformance",
    "MoyaTransportCurl",
    "MoyaTransportFoundation", "MoyaTransportNIO", "MoyaXML",
]

// Each of these is fetched only if the trait with its name is on.
let rxSwift = Target.Dependency.product(
    name: "RxSwift", package: "RxSwift", condition: .when(traits: ["RxSwift"]))
let reactiveSwift = Target.Dependency.product(
    name: "ReactiveSwift", package: "ReactiveSwift", condition: .when(traits: ["ReactiveSwift"]))
let openCombine = Target.Dependency.product(
    name: "OpenCombine", package: "OpenCombine",
    condition: .when(
        platforms: [.linux, .android, .windows, .wasi, .openbsd], traits: ["OpenCombine"]))

/// Dependencies of the tests of every module of MoyaReactive.
let reactiveTesting: [Target.Dependency] = [
    "MoyaCore", "MoyaMockServer", "MoyaReactiveTestSupport", "MoyaTesting", "MoyaTransportCurl",
]

let xmlCoder = Target.Dependency.product(
    name: "XMLCoder", package: "XMLCoder", condition: .when(traits: ["XML"]))
let crypto = Target.Dependency.product(
    name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Crypto"]))
let logging = Target.Dependency.product(
    name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"]))

let serviceLifecycle = Target.Dependency.product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle",
    condition: .when(traits: ["ServiceLifecycle"]))
let tracing = Target.Dependency.product(
    name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"]))

/// Dependencies of MoyaLayers. Each is fetched only if its trait is on.
let layersOptional: [Target.Dependency] = [
    logging,
    .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
    serviceLifecycle, tracing,
]

/// Test doubles of those dependencies, for the tests of MoyaLayers.
let layersTestsOptional: [Target.Dependency] = [
    logging, serviceLifecycle, tracing,
    .product(
        name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
    .product(
        name: "InMemoryTracing", package: "swift-distributed-tracing",
        condition: .when(traits: ["Tracing"])),
]

/// Dependencies of `HTTPClientTransport` and its tests. Fetched only if the trait is on.
let httpClient: [Target.Dependency] =
    [
        ("AsyncHTTPClient", "async-http-client"), ("NIOConcurrencyHelpers", "swift-nio"),
        ("NIOCore", "swift-nio"), ("NIOHTTP1", "swift-nio"), ("NIOHTTP2", "swift-nio-http2"),
        ("NIOHTTPCompression", "swift-nio-extras"), ("NIOPosix", "swift-nio"),
        ("NIOSSL", "swift-nio-ssl"),
    ].map { name, package in
        .product(name: name, package: package, condition: .when(traits: ["AsyncHTTPClient"]))
    }

/// A further dependency of the tests of `HTTPClientTransport`.
let embedded = Target.Dependency.product(
    name: "NIOEmbedded", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"]))

/// Dependencies of `NIOMockServer`. Fetched only if the trait is on.
let mockServer: [Target.Dependency] =
    [
        ("Crypto", "swift-crypto"), ("NIOCore", "swift-nio"), ("NIOHPACK", "swift-nio-http2"),
        ("NIOHTTP1", "swift-nio"), ("NIOHTTP2", "swift-nio-http2"), ("NIOPosix", "swift-nio"),
        ("NIOSSL", "swift-nio-ssl"), ("SwiftASN1", "swift-asn1"), ("X509", "swift-certificates"),
    ].map { name, package in
        .product(name: name, package: package, condition: .when(traits: ["MockServer"]))
    }

let httpTypes = Target.Dependency.product(
    name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["HTTPTypes"]))
let openAPI = Target.Dependency.product(
    name: "OpenAPIRuntime", package: "swift-openapi-runtime",
    condition: .when(traits: ["OpenAPI"]))

/// A further dependency of the tests of MoyaOpenAPI: the conversions of HTTPTypes itself.
let httpTypesFoundation = Target.Dependency.product(
    name: "HTTPTypesFoundation", package: "swift-http-types",
    condition: .when(traits: ["HTTPTypes"]))

let yaml = Target.Dependency.product(
    name: "Yams", package: "Yams", condition: .when(traits: ["YAML"]))

/// Returns products of swift-syntax, for the macros. Fetched only if the trait is on.
func syntax(_ names: String...) -> [Target.Dependency] {
    names.map {
        .product(name: $0, package: "swift-syntax", condition: .when(traits: ["Macros"]))
    }
}

let package = Package(
    name: "moya",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: products.map { .library(name: $0, targets: [$0]) } + [
        .library(name: "MoyaCombine", targets: ["MoyaCombine", "CombineMoya"]),
        .library(name: "MoyaReactiveSwift", targets: ["MoyaReactiveSwift", "ReactiveMoya"]),
        .library(name: "MoyaRxSwift", targets: ["MoyaRxSwift", "RxMoya"]),
        // The same modules under the product names of Moya.
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
        .trait(
            name: "HTTPTypes",
            description: "Conversions to and from the types of swift-http-types."),
        .trait(name: "Logging", description: "Logs to swift-log."),
        .trait(name: "Macros", description: "Targets declared by macros, with swift-syntax."),
        .trait(name: "Metrics", description: "Metrics for swift-metrics."),
        .trait(
            name: "MockServer",
            description: "NIOMockServer, which speaks TLS and HTTP/2, on SwiftNIO."),
        .trait(
            name: "OpenAPI",
            description: "OpenAPITransport, for clients of swift-openapi-generator.",
            enabledTraits: ["HTTPTypes"]),
        .trait(name: "OpenCombine", description: "MoyaCombine where there is no Combine"),
        .trait(name: "ReactiveSwift", description: "MoyaReactiveSwift"),
        .trait(name: "RxSwift", description: "MoyaRxSwift"),
        .trait(
            name: "ServiceLifecycle",
            description: "A transport as a service of swift-service-lifecycle."),
        .trait(name: "Tracing", description: "Spans for swift-distributed-tracing."),
        .trait(name: "XML", description: "XML coders of MoyaXML, with XMLCoder."),
        .trait(name: "YAML", description: "OpenAPI documents in YAML, with Yams."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.10.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", "3.0.0"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.26.0"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.36.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
        .package(url: "https://github.com/apple/swift-openapi-runtime.git", from: "1.8.0"),
        .package(url: "https://github.com/jpsim/Yams.git", from: "6.0.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(
            url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.8.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax.git", "600.0.0"..<"604.0.0"),
        .package(
            url: "https://github.com/CoreOffice/XMLCoder.git", .upToNextMinor(from: "0.18.2")),
        .package(
            url: "https://github.com/OpenCombine/OpenCombine", .upToNextMinor(from: "0.14.0")),
        .package(url: "https://github.com/ReactiveCocoa/ReactiveSwift", from: "7.2.0"),
        .package(url: "https://github.com/ReactiveX/RxSwift", from: "6.10.0"),
    ],
    targets: [
        // Shared by several modules. Not in any product.
        .systemLibrary(
            name: "CMoyaZlib",
            path: "Packages/MoyaCore/Sources/CMoyaZlib",
            pkgConfig: zlib,
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
        ),
        module("MoyaInternals", in: "MoyaCore", needs: [crypto]),
        module("MoyaCore", needs: ["MoyaInternals"]),
        tests(
            for: "MoyaCore",
            needs: ["MoyaInternals", "MoyaMockServer", "MoyaTestSupport", "MoyaTesting"]),

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

        module("MoyaOpenAPI", needs: ["MoyaCore", httpTypes, openAPI]),
        tests(
            for: "MoyaOpenAPI",
            needs: [
                "MoyaCore", "MoyaLayers", "MoyaMockServer", "MoyaTestSupport", "MoyaTesting",
                "MoyaTransportCurl", "MoyaTransportFoundation", "MoyaTransportNIO", httpTypes,
                httpTypesFoundation, openAPI,
            ]),

        .macro(
            name: "MoyaMacrosPlugin",
            dependencies: syntax(
                "SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftParser", "SwiftSyntax",
                "SwiftSyntaxBuilder", "SwiftSyntaxMacros"),
            path: "Packages/MoyaMacros/Sources/MoyaMacrosPlugin", packageAccess: false,
            swiftSettings: settings),
        module("MoyaMacros", needs: ["MoyaCore", "MoyaMacrosPlugin"]),

        module("MoyaStreaming", needs: ["MoyaCore", "MoyaInternals"]),
        tests(
            for: "MoyaStreaming",
            needs: [
                "MoyaCore", "MoyaInternals", "MoyaMockServer", "MoyaTestSupport", "MoyaTesting",
                "MoyaTransportCurl",
            ]),

        module("MoyaXML", needs: ["MoyaCore", xmlCoder]),
        tests(for: "MoyaXML", needs: ["MoyaCore", "MoyaStubs"]),

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

        module("MoyaStubs", in: "MoyaTesting", needs: ["MoyaCore", "MoyaInternals", yaml]),
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
                "MoyaCore", "MoyaInternals", "MoyaMockServer", "MoyaStubs", "MoyaTestSupport",
                "MoyaTransportCurl",
            ], excluding: ["Reporting/Cassettes"]),

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
            swiftSettings: settings + [curl]),
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
        tests(for: "MoyaKit", in: "Moya", needs: ["MoyaMultipart"]),
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

        // One test target for all three frameworks.
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

/// Reduces the package to the targets in `folder`, such as `Packages/MoyaCore`. Targets of other
/// folders become products of their packages.
func reduce(_ package: Package, to folder: String) {
    func name(_ folder: String) -> String { String(folder.split(separator: "/").last ?? "") }
    let folders = Dictionary(
        uniqueKeysWithValues: package.targets.map { target in
            let parts = (target.path ?? "").split(separator: "/")
            return (target.name, parts.prefix(2).joined(separator: "/"))
        })
    package.name = name(folder)
    package.targets.removeAll { folders[$0.name] != folder }
    var siblings: Set<String> = []
    var others: Set<String> = []
    for target in package.targets {
        target.path = target.path.map { String($0.dropFirst(folder.count + 1)) }
        target.dependencies = target.dependencies.map { dependency in
            switch dependency {
            case .byNameItem(let module, let condition), .targetItem(let module, let condition):
                guard let other = folders[module], other != folder else { return dependency }
                siblings.insert(other)
                return .productItem(
                    name: module, package: name(other), moduleAliases: nil, condition: condition)
            case .productItem(_, let other, _, _):
                others.insert((other ?? "").lowercased())
                return dependency
            @unknown default:
                return dependency
            }
        }
    }
    let own = Set(package.targets.map(\.name))
    package.products.removeAll { product in
        guard let library = product as? Product.Library else { return true }
        return !own.isSuperset(of: library.targets)
    }
    // The other packages use modules that are no product of the root, too.
    let known = Set(package.products.map(\.name))
    package.products += package.targets
        .filter { [.regular, .system].contains($0.type) && !known.contains($0.name) }
        .map { .library(name: $0.name, targets: [$0.name]) }
    package.dependencies.removeAll { dependency in
        guard case .sourceControl(_, let location, _) = dependency.kind else { return true }
        let identity = name(location).replacingOccurrences(of: ".git", with: "").lowercased()
        return !others.contains(identity)
    }
    // A package that is built by itself passes its traits on.
    let traits = package.traits.map {
        Package.Dependency.Trait.trait(name: $0.name, condition: .when(traits: [$0.name]))
    }
    package.dependencies += siblings.sorted().map {
        .package(path: "../../\($0)", traits: Set(traits))
    }
}

if !FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/Packages") {
    let parts = Context.packageDirectory.split(separator: "/")
    // Not in the root: SwiftPM builds a test that depends on a macro for the machine that compiles,
    // and with it all other tests of its package.
    package.targets.append(
        .testTarget(
            name: "MoyaMacrosTests",
            dependencies: ["MoyaMacrosPlugin"]
                + syntax(
                    "SwiftDiagnostics", "SwiftParser", "SwiftSyntax", "SwiftSyntaxMacroExpansion",
                    "SwiftSyntaxMacros"),
            path: "Packages/MoyaMacros/Tests/MoyaMacrosTests", packageAccess: false,
            swiftSettings: settings))
    reduce(package, to: parts.suffix(2).joined(separator: "/"))
}
