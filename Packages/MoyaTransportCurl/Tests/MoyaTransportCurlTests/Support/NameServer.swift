import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A name server for DNS over HTTPS (RFC 8484) that knows one domain, `moya.test`.
enum NameServer {
    static func answer(_ request: MockRequest) -> MockResponse {
        MockResponse(
            headers: [HeaderField(name: "Content-Type", value: "application/dns-message")],
            body: .data(answer(to: request.body)))
    }

    /// The response to a DNS query (RFC 1035, section 4): 127.0.0.1 for the IPv4 address of
    /// `moya.test` and its subdomains, and NXDOMAIN otherwise.
    private static func answer(to query: Data) -> Data {
        let bytes = [UInt8](query)
        guard let end = bytes.dropFirst(12).firstIndex(of: 0), end + 5 <= bytes.count else {
            return Data()
        }
        let question = bytes[12..<end + 5]
        let isKnown =
            question.dropLast(5).suffix(10).elementsEqual(
                [4] + Array("moya".utf8) + [4] + Array("test".utf8))
            && bytes[end + 2] == 1
        let head =
            bytes[0..<2] + [0x81, isKnown ? 0x80 : 0x83, 0, 1, 0, isKnown ? 1 : 0, 0, 0, 0, 0]
        // A pointer to the question's name, 12 bytes from the start.
        let record: [UInt8] = [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]
        return Data(head + question + (isKnown ? record : []))
    }

    static func transport(
        asking nginx: Nginx, _ change: (inout CurlTransport.Configuration) -> Void
    ) throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(nginx.authority)
        configuration.network.dnsOverHTTPS = nginx.url.appendingPathComponent("behind")
        change(&configuration)
        return try CurlTransport(configuration: configuration)
    }

    static func statuses(of urls: [URL], _ transport: CurlTransport) async throws -> [Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for url in urls {
                group.addTask {
                    try await transport.send(TransportRequest(.patient(url))).head.statusCode
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
