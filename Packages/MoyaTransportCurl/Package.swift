// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
]

// No pkg-config on a Mac: it finds libraries for macOS, and Xcode would link those into programs
// for iOS. Apple's SDKs have zlib, and for macOS libcurl.
#if os(macOS)
    let libcurl: String? = nil
#else
    let libcurl: String? = "libcurl"
#endif

// Defined on the platforms with libcurl. Elsewhere the module is empty.
let curl = SwiftSetting.define("CURL", .when(platforms: [.macOS, .linux, .android, .openbsd]))

let package = Package(
    name: "MoyaTransportCurl",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [.library(name: "MoyaTransportCurl", targets: ["MoyaTransportCurl"])],
    dependencies: [
        .package(path: "../MoyaCore"),
        .package(path: "../MoyaTesting"),
        .package(path: "../../Tests/Support"),
    ],
    targets: [
        .systemLibrary(
            name: "CMoyaCurl",
            pkgConfig: libcurl,
            providers: [.apt(["libcurl4-openssl-dev", "zlib1g-dev"]), .brew(["curl", "zlib"])]
        ),
        .target(
            name: "MoyaTransportCurl",
            dependencies: [
                "CMoyaCurl", .product(name: "MoyaCore", package: "MoyaCore"),
                .product(name: "MoyaInternals", package: "MoyaCore"),
            ],
            packageAccess: false,
            swiftSettings: settings + [curl]
        ),
        .testTarget(
            name: "MoyaTransportCurlTests",
            dependencies: [
                "CMoyaCurl",
                "MoyaTransportCurl",
                .product(name: "MoyaCore", package: "MoyaCore"),
                .product(name: "MoyaInternals", package: "MoyaCore"),
                .product(name: "MoyaMockServer", package: "MoyaTesting"),
                .product(name: "MoyaTransportConformance", package: "MoyaTesting"),
                .product(name: "MoyaTesting", package: "MoyaTesting"),
                .product(name: "MoyaTestSupport", package: "Support"),
            ],
            packageAccess: false,
            swiftSettings: settings
        ),
    ]
)
