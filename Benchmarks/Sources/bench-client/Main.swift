import Foundation

@main
enum Main {
    static func main() async throws {
        guard let options = Options(CommandLine.arguments),
            let measurement = try await measure(options)
        else {
            print(Options.usage)
            exit(2)
        }
        print(String(decoding: try JSONEncoder().encode(measurement), as: UTF8.self))
        exit(measurement.failed == 0 ? 0 : 1)
    }

    /// Runs the measurement, or returns `nil` if the client's name is unknown.
    private static func measure(_ options: Options) async throws -> Measurement? {
        if options.client == Cancelling.name, let url = URL(string: options.url) {
            return try await Cancelling(options: options, url: url).measure()
        }
        guard let client = try Clients.make(options) else { return nil }
        let measurement = await Runner(options: options, client: client).measure()
        try await client.close()
        return measurement
    }
}
