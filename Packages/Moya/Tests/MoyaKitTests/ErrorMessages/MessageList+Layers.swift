#if os(Linux)
    import Foundation
    import MoyaKit

    /// A transport that never responds.
    private struct SilentTransport: Transport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            try await Task.sleep(for: .seconds(3_600))
            throw URLError(.timedOut)
        }
    }

    extension MessageList {
        func addLayerErrors() async {
            section("Errors of layers")
            let clock = ExampleClock()
            await add("timingOut(after:)") {
                try await send(
                    ExampleTarget(), over: SilentTransport().timingOut(after: 10, clock: clock))
            }
            await add("breakingCircuit(with:)") {
                var policy = CircuitBreaker.Policy()
                policy.minimumCalls = 1
                let transport = ExampleTransport(statusCode: 503)
                    .breakingCircuit(with: CircuitBreaker(policy, clock: clock))
                try await send(ExampleTarget(), over: transport)
                try await send(ExampleTarget(), over: transport)
            }
            await add("limitingRate(with:)") {
                let limiter = RateLimiter(1, per: 60, maximumWait: 10, clock: clock)
                let transport = ExampleTransport().limitingRate(with: limiter)
                try await send(ExampleTarget(), over: transport)
                try await send(ExampleTarget(), over: transport)
            }
            await add("limitingRate(with:), withDeadline(after:)") {
                let limiter = RateLimiter(1, per: 60, clock: clock)
                let transport = ExampleTransport().limitingRate(with: limiter)
                try await send(ExampleTarget(), over: transport)
                try await withDeadline(after: 10) {
                    try await send(ExampleTarget(), over: transport)
                }
            }
            await add("limitingConcurrency(with:)") {
                let limiter = ConcurrencyLimiter(perHost: 1, maximumWaiting: 20)
                let transport = SilentTransport().limitingConcurrency(with: limiter)
                // One request holds the only slot, 20 wait, and the last one fails.
                try await withThrowingTaskGroup { group in
                    for _ in 0..<22 {
                        group.addTask { try await send(ExampleTarget(), over: transport) }
                    }
                    try await group.next()
                }
            }
            let credentials = AWSCredentials(accessKeyID: "example", secretAccessKey: "example")
            await add("signing(with:): a body that is a stream") {
                let signer = AWSSigner(service: "es", region: "eu-central-1", clock: clock) {
                    credentials
                }
                let part = MultipartFormBodyPart(provider: .data(Data()), name: "a")
                let target = ExampleTarget(method: .post, task: .uploadMultipartFormData([part]))
                try await send(target, over: ExampleTransport().signing(with: signer))
            }
            await add("presignedURL(for:expiresIn:)") {
                let signer = AWSSigner(service: "s3", region: "eu-central-1", clock: clock) {
                    credentials
                }
                let request = URLRequest(url: URL(fileURLWithPath: "/"))
                _ = try await signer.presignedURL(for: request, expiresIn: 0)
            }
            await add("replacingOrigin(with:)") {
                let transport = ExampleTransport().replacingOrigin(with: URL(fileURLWithPath: "/"))
                try await send(ExampleTarget(), over: transport)
            }
        }

        func addTokenErrors() async {
            section("TokenRefreshError")
            await add("failed") {
                let tokens = TokenRefresher { _ in throw URLError.bodyTooLarge(limit: 1_000) }
                _ = try await tokens.validToken()
            }
            await add("unusable") {
                let tokens = TokenRefresher { _ in AccessToken("a\nb") }
                let transport = ExampleTransport().authorizing(with: tokens, where: { _ in true })
                try await send(ExampleTarget(), over: transport)
            }
            await add("tooOften") {
                let tokens = TokenRefresher(clock: ExampleClock()) { _ in
                    AccessToken(UUID().uuidString)
                }
                let transport = ExampleTransport(statusCode: 401)
                    .authorizing(with: tokens, where: { _ in true })
                for _ in 0..<220 { try await send(ExampleTarget(), over: transport) }
            }

            section("OAuth2Error")
            await addOAuth2("insecureEndpoint", "", 200, endpoint: "http://login.example.com/token")
            await addOAuth2("invalidResponse", "<p>", 200)
            await addOAuth2("invalidGrant", #"{"error": "invalid_grant"}"#, 400)
            await addOAuth2("accessDenied", #"{"error": "access_denied"}"#, 400)
            await addOAuth2("expiredToken", #"{"error": "expired_token"}"#, 400)
            await addOAuth2(
                "invalidClient",
                #"{"error": "invalid_client", "error_description": "Unknown client."}"#, 401)
            await add("noRefreshToken") {
                _ = try await client("https://login.example.com/token", ExampleTransport())
                    .refresh(AccessToken("example"))
            }
        }

        private func addOAuth2(
            _ name: String, _ body: String, _ status: Int,
            endpoint: String = "https://login.example.com/token"
        ) async {
            await add(name) {
                let transport = ExampleTransport(
                    statusCode: status,
                    fields: [HeaderField(name: "Content-Type", value: "application/json")],
                    body: Data(body.utf8))
                _ = try await client(endpoint, transport).clientCredentials()
            }
        }

        private func client(_ endpoint: String, _ transport: ExampleTransport) -> OAuth2Client {
            OAuth2Client(
                tokenEndpoint: URL(string: endpoint) ?? URL(fileURLWithPath: "/"), clientID: "shop",
                clientSecret: "example", transport: transport)
        }
    }
#endif
