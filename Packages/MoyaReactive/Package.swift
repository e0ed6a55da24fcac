// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
]

// Each package is fetched and used only if the trait of its name is on.
let rxSwift = Target.Dependency.product(
    name: "RxSwift", package: "RxSwift", condition: .when(traits: ["RxSwift"]))
let reactiveSwift = Target.Dependency.product(
    name: "ReactiveSwift", package: "ReactiveSwift", condition: .when(traits: ["ReactiveSwift"]))
let openCombine = Target.Dependency.product(
    name: "OpenCombine", package: "OpenCombine",
    condition: .when(
        platforms: [.linux, .android, .windows, .wasi, .openbsd], traits: ["OpenCombine"]))
let core = Target.Dependency.product(name: "MoyaCore", package: "MoyaCore")
let internals = Target.Dependency.product(name: "MoyaInternals", package: "MoyaCore")
let mockServer = Target.Dependency.product(name: "MoyaMockServer", package: "MoyaTesting")
let testing = Target.Dependency.product(name: "MoyaTesting", package: "MoyaTesting")
let curl = Target.Dependency.product(name: "MoyaTransportCurl", package: "MoyaTransportCurl")

func module(_ name: String, needs dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name, dependencies: dependencies, packageAccess: false, swiftSettings: settings)
}

func tests(_ name: String, needs dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: name,
        dependencies: ["MoyaReactiveTestSupport", core, mockServer, testing, curl] + dependencies,
        packageAccess: false, swiftSettings: settings)
}

let package = Package(
    name: "MoyaReactive",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [
        .library(name: "MoyaCombine", targets: ["MoyaCombine", "CombineMoya"]),
        .library(name: "MoyaReactiveSwift", targets: ["MoyaReactiveSwift", "ReactiveMoya"]),
        .library(name: "MoyaRxSwift", targets: ["MoyaRxSwift", "RxMoya"]),
        // The products under Moya's names.
        .library(name: "CombineMoya", targets: ["CombineMoya"]),
        .library(name: "ReactiveMoya", targets: ["ReactiveMoya"]),
        .library(name: "RxMoya", targets: ["RxMoya"]),
    ],
    traits: [
        .trait(name: "OpenCombine", description: "MoyaCombine where there is no Combine"),
        .trait(name: "ReactiveSwift", description: "MoyaReactiveSwift"),
        .trait(name: "RxSwift", description: "MoyaRxSwift"),
    ],
    dependencies: [
        .package(path: "../MoyaCore"),
        .package(path: "../MoyaTesting"),
        .package(path: "../MoyaTransportCurl"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", .upToNextMinor(from: "0.14.0")),
        .package(url: "https://github.com/ReactiveCocoa/ReactiveSwift", from: "7.2.0"),
        .package(url: "https://github.com/ReactiveX/RxSwift", from: "6.10.0"),
    ],
    targets: [
        module("MoyaEvents", needs: [core, internals]),
        .target(
            name: "MoyaReactiveTestSupport", dependencies: [core, internals],
            path: "Tests/Support", packageAccess: false, swiftSettings: settings),
        tests("MoyaEventsTests", needs: ["MoyaEvents"]),

        module("MoyaCombine", needs: ["MoyaEvents", core, openCombine]),
        module("CombineMoya", needs: ["MoyaCombine"]),

        module("MoyaReactiveSwift", needs: ["MoyaEvents", core, reactiveSwift]),
        module("ReactiveMoya", needs: ["MoyaReactiveSwift"]),

        module("MoyaRxSwift", needs: ["MoyaEvents", core, rxSwift]),
        module("RxMoya", needs: ["MoyaRxSwift"]),

        // One test suite covers all three frameworks.
        tests(
            "MoyaReactiveTests",
            needs: [
                "MoyaCombine", "CombineMoya", "ReactiveMoya", "RxMoya",
                openCombine, reactiveSwift, rxSwift,
            ]),
    ]
)
