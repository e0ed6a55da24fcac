// neighbours URL
//
// Calls zlib and libcurl through another package's modules, calls the Moya modules of both
// packages, and requests URL with this package's module.
import CLibraries
import Foundation
import NewFeature
import OldFeature

guard CommandLine.arguments.count > 1, let url = URL(string: CommandLine.arguments[1]) else {
    print("usage: neighbours URL")
    exit(2)
}
print("CZlib", zlibVersionOfAnotherPackage(), "CCurl", curlVersionOfAnotherPackage())
print("Moya 15:", oldRequest())
print("this package:", try await newRequest(url))
