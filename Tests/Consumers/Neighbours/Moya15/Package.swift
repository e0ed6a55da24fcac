// swift-tools-version: 6.2
import PackageDescription

// Placeholder for Moya 15 with the names of its targets and products.
let names = ["Moya", "RxMoya", "ReactiveMoya", "CombineMoya"]
let package = Package(
    name: "Moya15",
    products: names.map { .library(name: $0, targets: [$0]) },
    targets: names.map { .target(name: $0, dependencies: $0 == "Moya" ? [] : ["Moya"]) }
)
