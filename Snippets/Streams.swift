// Reads responses while they arrive.
import Foundation
import Moya

// `nonisolated`, because lines are decoded off the main actor: this matters in a module that
// isolates its declarations to the main actor by default.
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
        // Leaving the loop cancels the request.
        if reading.value > 100 { break }
    }
    for try await event in provider.serverSentEvents(target) {
        print(event.type, event.data, event.lastEventID)
    }
    // Ends with the data [DONE], and throws for an event of the type `error`.
    for try await reading in provider.serverSentEvents(target, of: Reading.self) {
        print(reading.sensor)
    }
}
