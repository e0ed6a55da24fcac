// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "urlsession",
    platforms: [.macOS(.v15)],
    targets: [.executableTarget(name: "first-response")]
)
