// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "CLibraries",
    products: [.library(name: "CLibraries", targets: ["CLibraries"])],
    targets: [
        .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl"),
        .target(name: "CLibraries", dependencies: ["CZlib", "CCurl"]),
    ]
)
