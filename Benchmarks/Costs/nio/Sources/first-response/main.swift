import AsyncHTTPClient
import Foundation

guard let url = CommandLine.arguments.last else { exit(2) }
let response = try await HTTPClient.shared.execute(
    HTTPClientRequest(url: url), timeout: .seconds(10))
print(try await response.body.collect(upTo: 1 << 20).readableBytes)
