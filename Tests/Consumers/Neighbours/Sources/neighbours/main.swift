// neighbours URL
//
// Calls zlib and libcurl through another package's modules, calls the Moya module of both packages,
// and requests URL with the one of this package.
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
