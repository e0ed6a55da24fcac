import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension FoundationTransport.Configuration {
    /// Checks what no platform can do.
    func validate() throws(FoundationTransport.ConfigurationError) {
        try FoundationTransport.validate(additionalHeaders)
        if case .http(let host, let port) = proxy {
            guard !host.isEmpty, (1...65_535).contains(port) else {
                throw .init(description: "The proxy \(host):\(port) has no host, or no port.")
            }
        }
    }
}

extension FoundationTransport {
    /// - Throws: ``ConfigurationError`` for a field that could split a message. Its value is not shown.
    static func validate(_ headers: [String: String]) throws(ConfigurationError) {
        for (name, value) in headers {
            do {
                var request = URLRequest(url: URL(fileURLWithPath: "/"))
                request.url = URL(string: "http://localhost/")
                request.setValue(value, forHTTPHeaderField: name)
                // Foundation drops some names without a word.
                guard request.value(forHTTPHeaderField: name) == value else {
                    throw URLError(.badURL)
                }
                try TransportRequest(request).validate()
            } catch {
                throw .init(
                    description: "The additional header field \(name.debugDescription) is not one "
                        + "that may be sent (RFC 9110, section 5).")
            }
        }
    }
}
