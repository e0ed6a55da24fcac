// Opens every package in one Xcode workspace, with Tuist: `tuist generate`.
// SwiftPM does not read this file. It has not been run: there is no macOS machine in our checks.
import ProjectDescription

let workspace = Workspace(
    name: "Moya",
    projects: ["Packages/*"]
)
