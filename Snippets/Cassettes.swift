// Records real responses once and replays them in later runs.
import Foundation
import MoyaCore
import MoyaTesting
import MoyaTransportCurl

func makePlayedProvider<Target: TargetType>() throws -> MoyaProvider<Target> {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Cassettes/zen.har")
    return MoyaProvider(transport: try CurlTransport().cassette(at: file))
}

func showStrictCassette(_ file: URL) async throws {
    var options = CassetteTransport.Options()
    options.matchers = [.method, .path, .query, .body, .header("Accept")]
    options.redaction.headerNames.insert("x-shop-key")
    let cassette = try CassetteTransport(at: file, mode: .none, options: options)
    // …
    print(cassette.allPlayed, cassette.unplayed)
}
