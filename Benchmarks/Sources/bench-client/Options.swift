import Foundation

/// Options of a measurement.
struct Options {
    var client = ""
    var url = ""
    var requests = 10_000
    var inFlight = 64
    var warmUp: Int?
    /// Number of the transport's threads. `nil` is the transport's default.
    var threads: Int?
    /// Maximum number of connections. `nil` is the client's default with `defaults`, and otherwise
    /// one for each request in flight.
    var connections: Int?
    /// Number of origins, on consecutive ports from that of the URL.
    var origins = 1
    /// Whether the client keeps its default connection limits.
    var defaults = false
    /// File of the certificates to trust, in PEM form.
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
    /// Returns the URL of each origin.
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
