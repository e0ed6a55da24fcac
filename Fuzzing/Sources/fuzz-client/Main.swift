import Foundation

/// Sends requests and prints what came of each: one line of JSON in, one line of JSON out.
///
///     fuzz-client curl|foundation CA-FILE
@main
struct Main {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let kind = Transports.Kind(rawValue: arguments[1]) else {
            FileHandle.standardError.write(
                Data("usage: fuzz-client curl|foundation CA-FILE\n".utf8))
            exit(2)
        }
        let certificates = URL(fileURLWithPath: arguments[2])
        var transports = Transports(kind, certificates)
        while let line = readLine() {
            let order = try JSONDecoder().decode(Order.self, from: Data(line.utf8))
            // A case begins with transports that have no connection yet, so that it can be run alone.
            if order.isFirst { transports = Transports(kind, certificates) }
            let result = await Exchange(order, try transports.transport(for: order.way)).result()
            FileHandle.standardOutput.write(try JSONEncoder().encode(result) + Data("\n".utf8))
        }
    }
}
