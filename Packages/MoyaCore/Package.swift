// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
]

// No pkg-config on macOS: it finds libraries for macOS, which Xcode would link into programs for
// iOS. Apple SDKs contain zlib. Only Apple platforms use the privacy manifest.
#if os(macOS)
    let zlib: String? = nil
    let privacy: [Resource] = [.process("PrivacyInfo.xcprivacy")]
    let excluded: [String] = []
#else
    let zlib: String? = "zlib"
    let privacy: [Resource] = []
    let excluded = ["PrivacyInfo.xcprivacy"]
#endif

let package = Package(
    name: "MoyaCore",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [
        .library(name: "MoyaCore", targets: ["MoyaCore"]),
        // Products for the other packages of this repository. The root manifest, which users depend
        // on, does not declare them.
        .library(name: "CMoyaZlib", targets: ["CMoyaZlib"]),
        .library(name: "MoyaInternals", targets: ["MoyaInternals"]),
    ],
    traits: [
        .trait(name: "Crypto", description: "SHA-2 with swift-crypto where there is no CryptoKit.")
    ],
    dependencies: [
        .package(path: "../MoyaTesting"),
        .package(path: "../../Tests/Support"),
        .package(url: "https://github.com/apple/swift-crypto.git", "3.0.0"..<"5.0.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CMoyaZlib",
            pkgConfig: zlib,
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
        ),
        .target(
            name: "MoyaInternals",
            dependencies: [
                // Fetched and used only if the trait is enabled.
                .product(
                    name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Crypto"]))
            ],
            exclude: excluded, resources: privacy, packageAccess: false, swiftSettings: settings),
        .target(
            name: "MoyaCore", dependencies: ["MoyaInternals"], exclude: excluded,
            resources: privacy, packageAccess: false, swiftSettings: settings),
        .testTarget(
            name: "MoyaCoreTests",
            dependencies: [
                "MoyaCore",
                "MoyaInternals",
                .product(name: "MoyaMockServer", package: "MoyaTesting"),
                .product(name: "MoyaTesting", package: "MoyaTesting"),
                .product(name: "MoyaTestSupport", package: "Support"),
            ],
            packageAccess: false,
            swiftSettings: settings
        ),
    ]
)
