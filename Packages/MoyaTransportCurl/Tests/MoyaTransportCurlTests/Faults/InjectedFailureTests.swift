import CCurl
import Foundation
import MoyaCore
import MoyaTesting
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What happens when libcurl refuses an option, which it does when the memory is used up.
@Suite struct InjectedFailureTests {
    @Test(arguments: [
        CURLOPT_URL, CURLOPT_HTTPHEADER, CURLOPT_POSTFIELDSIZE_LARGE, CURLOPT_PRIVATE,
        CURLOPT_NOSIGNAL, CURLOPT_ERRORBUFFER, CURLOPT_FOLLOWLOCATION,
        CURLOPT_SUPPRESS_CONNECT_HEADERS, CURLOPT_PATH_AS_IS, CURLOPT_CONNECTTIMEOUT_MS,
        CURLOPT_MAXAGE_CONN, CURLOPT_TCP_KEEPALIVE, CURLOPT_EXPECT_100_TIMEOUT_MS,
        CURLOPT_CLOSESOCKETDATA, CURLOPT_CLOSESOCKETFUNCTION, CURLOPT_HTTP_VERSION,
        CURLOPT_PIPEWAIT, CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS, CURLOPT_PROXY, CURLOPT_POST,
        CURLOPT_READDATA, CURLOPT_READFUNCTION, CURLOPT_SEEKDATA, CURLOPT_SEEKFUNCTION,
        CURLOPT_CUSTOMREQUEST, CURLOPT_USERAGENT, CURLOPT_ACCEPT_ENCODING, CURLOPT_HEADERDATA,
        CURLOPT_HEADERFUNCTION, CURLOPT_WRITEDATA, CURLOPT_WRITEFUNCTION, CURLOPT_USERNAME,
        CURLOPT_PASSWORD, CURLOPT_HTTPAUTH,
    ])
    func `an option that libcurl refuses fails the request and sends nothing`(
        option: CURLoption
    ) async throws {
        let server = try MockServer()
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.refusedOption = option
        let transport = try CurlTransport(configuration: configuration)
        var urlRequest = URLRequest(url: server.url.appendingPathComponent("post"))
        urlRequest.httpMethod = "POST"
        var request = TransportRequest(urlRequest, body: .data(Data("hello".utf8)))
        request.credential = URLCredential(user: "u", password: "p", persistence: .none)
        for _ in 0..<2 {
            let error = await #expect(throws: URLError.self) { try await transport.send(request) }
            let cause = (error as NSError?)?.userInfo[NSUnderlyingErrorKey] as? CurlError
            #expect(cause?.code == Int(CURLE_OUT_OF_MEMORY.rawValue))
            #expect(cause?.message == "libcurl refused option \(option.rawValue)")
        }
        #expect(server.requests.isEmpty)
    }
}

extension CURLoption: @retroactive CustomTestStringConvertible {
    public var testDescription: String { "option \(rawValue)" }
}
