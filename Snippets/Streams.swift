// Responses that are read while they arrive.
import Foundation
import Moya

// Lines are decoded off the main actor, also where a module isolates everything else to it.
nonisolated struct Reading: Decodable {
    var sensor: String
    var value: Double
}

func follow<Target: TargetType>(_ target: Target, with provider: MoyaProvider<Target>) async throws
{
    for try await line in try await provider.stream(target).lines {
        print(line)
    }
    for try await reading in try await provider.stream(target).jsonLines(of: Reading.self) {
        // Leaving the loop ends the exchange.
        if reading.value > 100 { break }
    }
    for try await event in provider.serverSentEvents(target) {
        print(event.type, event.data, event.lastEventID)
    }
}
