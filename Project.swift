// The packages as local packages of an Xcode project without targets of its own: see Workspace.swift.
import ProjectDescription

let project = Project(
    // Not the workspace's name: Tuist would write a workspace of the project over it.
    name: "Packages",
    options: .options(automaticSchemesOptions: .disabled),
    packages: [
        .local(path: "Packages/Moya"),
        .local(path: "Packages/MoyaCore"),
        .local(path: "Packages/MoyaLayers"),
        .local(path: "Packages/MoyaMacros"),
        .local(path: "Packages/MoyaMultipart"),
        .local(path: "Packages/MoyaPlugins"),
        .local(path: "Packages/MoyaReactive"),
        .local(path: "Packages/MoyaStreaming"),
        .local(path: "Packages/MoyaTesting"),
        .local(path: "Packages/MoyaTransportCurl"),
        .local(path: "Packages/MoyaTransportFoundation"),
        .local(path: "Packages/MoyaTransportNIO"),
    ]
)
