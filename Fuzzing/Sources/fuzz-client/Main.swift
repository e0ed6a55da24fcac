import Foundation

/// Reads requests as lines of JSON (``Order``), sends them, and prints a line of JSON (``Result``)
/// for each.
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
            // Each case starts with new transports, so that it can be repeated alone.
            if order.isFirst { transports = Transports(kind, certificates) }
            let result = await Exchange(order, try transports.transport(for: order.way)).result()
            FileHandle.standardOutput.write(try JSONEncoder().encode(result) + Data("\n".utf8))
        }
    }
}
