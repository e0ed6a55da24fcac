import MoyaCore

extension TransportMetrics {
    /// The protocol version as in a status line. URLSession reports it at the end of a response,
    /// and on Linux not at all.
    var httpVersion: String {
        switch protocolName {
        case "http/1.0": "HTTP/1.0"
        case "h2": "HTTP/2"
        case "h3": "HTTP/3"
        default: "HTTP/1.1"
        }
    }
}
