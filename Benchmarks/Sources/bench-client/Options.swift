import Foundation

/// What is measured.
struct Options {
    var client = ""
    var url = ""
    var requests = 10_000
    var inFlight = 64
    var warmUp: Int?
    /// How many threads the transport has. `nil` leaves it to the transport.
    var threads: Int?
    /// Certificates to trust, in PEM form.
    var ca: String?
    var download: String?
    var upload: String?

    static let usage = """
        usage: bench-client CLIENT URL [--requests N] [--in-flight N] [--warm-up N] [--threads N]
                                       [--ca FILE] [--download FILE | --upload FILE]
        clients: \(Clients.names.joined(separator: ", "))
        """

    init?(_ arguments: [String]) {
        var rest = arguments.dropFirst()
        guard let client = rest.popFirst(), let url = rest.popFirst() else { return nil }
        self.client = client
        self.url = url
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch name {
            case "--requests": requests = Int(value) ?? requests
            case "--in-flight": inFlight = Int(value) ?? inFlight
            case "--warm-up": warmUp = Int(value)
            case "--threads": threads = Int(value)
            case "--ca": ca = value
            case "--download": download = value
            case "--upload": upload = value
            default: return nil
            }
        }
    }
}
