// swift-tools-version: 6.2
import PackageDescription

// A program that uses this package beside one with its own CZlib and CCurl, and beside one with the targets of Moya 15.
// docs/DifferencesFromMoya.md has the dependencies of NewFeature as a recipe.

// Aliases are found by a package's identity alone, not by a name that this manifest gives it. Here that is the name of the
// repository's folder.
let moya = Context.packageDirectory.split(separator: "/").dropLast(3).last.map(String.init) ?? ""

let package = Package(
    name: "Neighbours",
    platforms: [.macOS(.v12)],
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
                // Empty without their traits: for the names of their modules alone.
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
