// An Xcode project without targets that has the packages as local packages. See Workspace.swift.
import ProjectDescription

let project = Project(
    // Must differ from the workspace's name: Tuist would overwrite the workspace with that of the
    // project.
    name: "Packages",
    options: .options(automaticSchemesOptions: .disabled),
    packages: [
        .local(path: "Packages/Moya"),
        .local(path: "Packages/MoyaCore"),
        .local(path: "Packages/MoyaLayers"),
        .local(path: "Packages/MoyaMacros"),
        .local(path: "Packages/MoyaMultipart"),
        .local(path: "Packages/MoyaOpenAPI"),
        .local(path: "Packages/MoyaPlugins"),
        .local(path: "Packages/MoyaReactive"),
        .local(path: "Packages/MoyaStreaming"),
        .local(path: "Packages/MoyaTesting"),
        .local(path: "Packages/MoyaTransportCurl"),
        .local(path: "Packages/MoyaTransportFoundation"),
        .local(path: "Packages/MoyaTransportNIO"),
        .local(path: "Packages/MoyaXML"),
    ]
)
