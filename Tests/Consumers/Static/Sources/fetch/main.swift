// fetch URL [AUTHORITY]
//
// Sends a request over CurlTransport, and prints the response's body and the TLS version. Trusts
// the certificate authority in the file AUTHORITY, or those of the system.
import Foundation
import MoyaCore
import MoyaTransportCurl

struct Page: TargetType {
    let baseURL: URL
    let path = ""
    let method = HTTPMethod.get
    let task = RequestTask.requestPlain
    let headers: [String: String]? = nil
    let validationType = ValidationType.successCodes
}

let arguments = CommandLine.arguments
guard arguments.count > 1, let url = URL(string: arguments[1]) else {
    print("usage: fetch URL [AUTHORITY]")
    exit(2)
}
var configuration = CurlTransport.Configuration()
if arguments.count > 2 { configuration.tls.trust = .file(URL(fileURLWithPath: arguments[2])) }
do {
    let provider = MoyaProvider<Page>(transport: try CurlTransport(configuration: configuration))
    let response = try await provider.request(Page(baseURL: url))
    print(try response.mapString())
    print(response.metrics?.tlsVersion ?? "no TLS version")
} catch {
    print(error)
    exit(1)
}
