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
    /// The most connections in all. `nil` is what the client does by itself with `defaults`, and one for each request otherwise.
    var connections: Int?
    /// The number of origins: the ports from that of the URL on.
    var origins = 1
    /// Whether the client's own limits on connections count.
    var defaults = false
    /// Certificates to trust, in PEM form.
    var ca: String?
    var download: String?
    var upload: String?

    static let usage = """
        usage: bench-client CLIENT URL [--requests N] [--in-flight N] [--warm-up N] [--threads N]
                                       [--connections N] [--origins N] [--defaults]
                                       [--ca FILE] [--download FILE | --upload FILE]
        clients: \(Clients.names.joined(separator: ", "))
        """

    init?(_ arguments: [String]) {
        var rest = arguments.dropFirst()
        guard let client = rest.popFirst(), let url = rest.popFirst() else { return nil }
        self.client = client
        self.url = url
        while let name = rest.popFirst() {
            if name == "--defaults" {
                defaults = true
                continue
            }
            guard let value = rest.popFirst() else { return nil }
            switch name {
            case "--requests": requests = Int(value) ?? requests
            case "--in-flight": inFlight = Int(value) ?? inFlight
            case "--warm-up": warmUp = Int(value)
            case "--threads": threads = Int(value)
            case "--connections": connections = Int(value)
            case "--origins": origins = max(1, Int(value) ?? 1)
            case "--ca": ca = value
            case "--download": download = value
            case "--upload": upload = value
            default: return nil
            }
        }
    }
}

extension Options {
    /// The URL of each origin.
    func urls(from first: URL) -> [URL] {
        guard origins > 1, let port = first.port,
            let parts = URLComponents(url: first, resolvingAgainstBaseURL: false)
        else { return [first] }
        return (port..<port + origins).compactMap { port in
            var parts = parts
            parts.port = port
            return parts.url
        }
    }
}
