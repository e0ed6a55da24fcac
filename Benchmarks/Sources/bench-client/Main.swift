import Foundation

@main
enum Main {
    static func main() async throws {
        guard let options = Options(CommandLine.arguments), let client = try Clients.make(options)
        else {
            print(Options.usage)
            exit(2)
        }
        let measurement = await Runner(options: options, client: client).measure()
        try await client.close()
        print(String(decoding: try JSONEncoder().encode(measurement), as: UTF8.self))
        exit(measurement.failed == 0 ? 0 : 1)
    }
}
