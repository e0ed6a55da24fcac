import Foundation

/// One part of the soak tests. `scripts/soak` builds and starts it.
///
///     MOYA_SEED=N soak requests|mixed|cancels|downloads --count N [--seconds S]
///         [--transport curl|foundation] [--case N]
@main
struct Main {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "download" {
            await Downloads.download(Array(arguments.dropFirst()))
        }
        do {
            let options = try Options(Array(arguments))
            switch options.part {
            case .requests: try await Requests.run(options)
            case .mixed: try await Mixed.run(options)
            case .cancels: try await Cancels.run(options)
            case .downloads: try await Downloads.run(options)
            }
        } catch {
            say("soak: \(error)", to: .standardError)
            exit(2)
        }
    }
}

/// Writes a line without buffering, even if the output is a pipe.
func say(_ line: String, to output: FileHandle = .standardOutput) {
    output.write(Data("\(line)\n".utf8))
}
