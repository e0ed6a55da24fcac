// swift-tools-version: 6.2
import PackageDescription

// A program that uses this package together with a package that has its own CZlib and CCurl, and
// with a package that has the targets of Moya 15. docs/DifferencesFromMoya.md explains the
// dependencies of NewFeature.

// SwiftPM resolves module aliases by a package's identity, not by a name from this manifest. For a
// package by path, the identity is the name of its folder.
let moya = Context.packageDirectory.split(separator: "/").dropLast(3).last.map(String.init) ?? ""

let package = Package(
    name: "Neighbours",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(path: "../../.."),
        .package(path: "CLibraries"),
        .package(path: "Moya15"),
    ],
    targets: [
        .executableTarget(
            name: "neighbours",
            dependencies: [
                "OldFeature", "NewFeature",
                .product(name: "CLibraries", package: "CLibraries"),
            ]),
        .target(
            name: "OldFeature",
            dependencies: [
                .product(name: "Moya", package: "Moya15"),
                .product(name: "RxMoya", package: "Moya15"),
            ]),
        .target(
            name: "NewFeature",
            dependencies: [
                .product(name: "Moya", package: moya, moduleAliases: ["Moya": "NewMoya"]),
                // Needed only to rename their modules. On Linux they are empty without
                // their traits.
                .product(
                    name: "RxMoya", package: moya, moduleAliases: ["RxMoya": "NewRxMoya"]),
                .product(
                    name: "ReactiveMoya", package: moya,
                    moduleAliases: ["ReactiveMoya": "NewReactiveMoya"]),
                .product(
                    name: "CombineMoya", package: moya,
                    moduleAliases: ["CombineMoya": "NewCombineMoya"]),
            ]),
    ]
)
