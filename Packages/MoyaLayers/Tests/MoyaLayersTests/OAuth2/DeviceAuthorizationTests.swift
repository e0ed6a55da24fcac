import Foundation
import MoyaCore
import MoyaInternals
import MoyaTesting
import MoyaTestSupport
import Testing

@testable import MoyaLayers

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sign-ins on another device (RFC 8628).
@Suite(.timeLimit(.minutes(3))) struct DeviceAuthorizationTests {
    private let clock = TestClock(movesByItself: true)
    private let endpoint = url("https://auth.test/device")

    // The example of section 3.2.
    private static let codes = """
        {"device_code": "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS",
         "user_code": "WDJB-MJHT", "verification_uri": "https://example.com/device",
         "verification_uri_complete": "https://example.com/device?user_code=WDJB-MJHT",
         "expires_in": 1800, "interval": 5}
        """

    private func client(_ stub: StubTransport, secret: String? = nil) -> OAuth2Client {
        OAuth2Client(
            tokenEndpoint: url("https://auth.test/token"), clientID: "1406020730",
            clientSecret: secret, transport: stub, clock: clock)
    }

    private func body(of request: TransportRequest?) -> String? {
        guard case .data(let data)? = request?.body else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    /// Returns an authorization server that sends the codes, and then these answers.
    private func server(
        _ answers: [Result<(Int, String, [String: String]), URLError>], codes: String = Self.codes
    ) -> StubTransport {
        let left = Locked(answers)
        return StubTransport { request in
            guard request.urlRequest.url?.path == "/token" else {
                return try .test(request, body: codes)
            }
            let (status, body, fields) = try left.withLock { left in
                left.isEmpty ? .success((500, "", [:])) : left.removeFirst()
            }.get()
            return try .test(request, status, fields, body: body)
        }
    }

    private let pending = Result<(Int, String, [String: String]), URLError>.success(
        (400, #"{"error":"authorization_pending"}"#, [:]))
    private let slowDown = Result<(Int, String, [String: String]), URLError>.success(
        (400, #"{"error":"slow_down"}"#, [:]))
    private let token = Result<(Int, String, [String: String]), URLError>.success(
        (200, #"{"access_token":"t","refresh_token":"r"}"#, [:]))

    @Test func `a device sign-in shows the codes of the server, and polls with the device code`()
        async throws
    {
        let stub = server([pending, pending, token])
        let client = client(stub)
        let authorization = try await client.deviceAuthorization(
            at: endpoint, scope: ["a", "b"], parameters: ["audience": "api"])
        #expect(body(of: stub.requests.last) == "scope=a%20b&audience=api&client_id=1406020730")
        #expect(authorization.userCode == "WDJB-MJHT")
        #expect(authorization.verificationURI == url("https://example.com/device"))
        #expect(
            authorization.verificationURIComplete
                == url("https://example.com/device?user_code=WDJB-MJHT"))
        #expect(authorization.expiration == clock.now + 1800)

        let token = try await client.token(for: authorization)
        #expect(token == AccessToken("t", refreshToken: "r", scope: ["a", "b"]))
        #expect(clock.sleeps == [5, 5, 5])
        // Section 3.4.
        #expect(
            body(of: stub.requests.last)
                == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code="
                + "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS&client_id=1406020730")
        #expect(stub.requests.count == 4)
    }

    // Section 3.5.
    @Test func `each slow_down adds five seconds to all later polls`() async throws {
        let client = client(server([pending, slowDown, pending, slowDown, token]))
        _ = try await client.token(for: client.deviceAuthorization(at: endpoint))
        #expect(clock.sleeps == [5, 5, 10, 10, 15])
    }

    // Section 3.5.
    @Test func `a timeout, a lost server and an overloaded server double the interval`()
        async throws
    {
        let client = client(
            server([
                .failure(URLError(.timedOut)), .failure(URLError(.cannotConnectToHost)),
                .success((503, "busy", [:])), .success((429, "busy", ["Retry-After": "300"])),
                token,
            ]))
        _ = try await client.token(for: client.deviceAuthorization(at: endpoint))
        #expect(clock.sleeps == [5, 10, 20, 40, 300])
    }

    @Test func `a device sign-in ends when the device code expires`() async throws {
        let client = client(server(Array(repeating: pending, count: 400)))
        let authorization = try await client.deviceAuthorization(at: endpoint)
        let error = await thrown { try await client.token(for: authorization) } as? OAuth2Error
        #expect(error?.code == .expiredToken)
        #expect(clock.uptime == 1795)
        #expect(error?.localizedDescription.contains("expired before the user signed in") == true)
    }

    @Test(
        arguments: [
            (400, #"{"error":"access_denied"}"#, "access_denied"),
            (400, #"{"error":"expired_token"}"#, "expired_token"),
            (401, #"{"error":"invalid_client"}"#, "invalid_client"),
            (500, "oops", "invalid_response"),
        ])
    func `a final error of the server ends a device sign-in`(
        status: Int, answer: String, code: String
    ) async throws {
        let stub = server([pending, .success((status, answer, [:])), token])
        let client = client(stub)
        let authorization = try await client.deviceAuthorization(at: endpoint)
        let error = await thrown { try await client.token(for: authorization) } as? OAuth2Error
        #expect(error?.code.rawValue == code)
        #expect(stub.requests.count == 3)
    }

    @Test func `cancelling the task ends a device sign-in`() async throws {
        let clock = TestClock()
        let client = OAuth2Client(
            tokenEndpoint: url("https://auth.test/token"), clientID: "app",
            transport: server([token]), clock: clock)
        let authorization = try await client.deviceAuthorization(at: endpoint)
        let waiting = Task {
            await urlErrorCode { try await client.token(for: authorization) }
        }
        await clock.waitForSleepers()
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
    }

    @Test func `the interval is five seconds if the server sends none or no positive number`()
        async throws
    {
        for interval in ["", #", "interval": 0"#, #", "interval": "soon""#] {
            let codes =
                #"{"device_code": "d", "user_code": "u\u001b[2J", "expires_in": "60", "#
                + #""verification_url": "https://example.com/device"\#(interval)}"#
            let client = client(server([token], codes: codes))
            let authorization = try await client.deviceAuthorization(at: endpoint)
            #expect(authorization.userCode == "u[2J")
            #expect(authorization.verificationURI == url("https://example.com/device"))
            #expect(authorization.verificationURIComplete == nil)
            _ = try await client.token(for: authorization)
            #expect(clock.sleeps.last == 5)
        }
    }

    @Test(arguments: ["device_code", "user_code", "verification_uri", "expires_in"])
    func `an answer without a required member is refused, and the error shows no code`(
        member: String
    ) async throws {
        let codes = Self.codes.replacingOccurrences(of: member, with: "x\(member)")
        let client = client(server([], codes: codes))
        let error = await thrown { try await client.deviceAuthorization(at: endpoint) }
        #expect((error as? OAuth2Error)?.code == .invalidResponse)
        let text = error?.localizedDescription ?? ""
        #expect(!text.contains("GmRhmhcxhwAzkoEqiMEg"), "\(text)")
    }

    @Test func `a confidential client authenticates at the device endpoint`() async throws {
        let stub = server([])
        _ = try await client(stub, secret: "s").deviceAuthorization(at: endpoint)
        #expect(stub.requests.last?.value(for: "Authorization")?.hasPrefix("Basic ") == true)
    }

    @Test func `a printed device sign-in shows no code`() async throws {
        let authorization = try await client(server([])).deviceAuthorization(at: endpoint)
        var dumped = ""
        dump(authorization, to: &dumped)
        let text = "\(authorization)\(String(reflecting: authorization))\(dumped)"
        #expect(!text.contains("WDJB") && !text.contains("GmRhm"))
    }
}
