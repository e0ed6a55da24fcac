#if os(Linux)
    import Foundation
    import MoyaKit

    private struct User: Codable {
        var login: String
    }

    private struct DiskError: Error {
        let reason = "disk is full"
    }

    private struct Unencodable: Encodable {
        func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(
                1, .init(codingPath: [], debugDescription: "This value cannot be encoded."))
        }
    }

    extension MessageList {
        func addCoreErrors() async {
            await addMappingErrors()
            await addRequestErrors()
            await addParameterErrors()
            await addPageErrors()
        }

        private func addMappingErrors() async {
            section("MoyaError: responses")
            let response = Response(statusCode: 404, data: Data(#"{"name": 1}"#.utf8))
            let refusing = ExampleTransport(
                statusCode: 403,
                body: Data(#"{"title": "You do not have enough credit."}"#.utf8))
            add("imageMapping", MoyaError.imageMapping(response))
            await add("jsonMapping") {
                _ = try Response(statusCode: 200, data: Data("<p>".utf8)).mapJSON()
            }
            await add("stringMapping") {
                _ = try Response(statusCode: 200, data: Data([0xFF])).mapString()
            }
            await add("objectMapping: a key is missing") { _ = try response.map(User.self) }
            await add("objectMapping: another type") {
                let users = Response(
                    statusCode: 200, data: Data(#"{"users": [{"login": 7}]}"#.utf8))
                _ = try users.map([String: [User]].self)
            }
            await add("objectMapping: no JSON") {
                _ = try Response(statusCode: 200, data: Data("<p>".utf8)).map(User.self)
            }
            add(
                "objectMapping: another error",
                MoyaError.objectMapping(CancellationError(), response))
            await add("statusCode") { _ = try response.filterSuccessfulStatusCodes() }
            await add("underlying: a status that validationType refuses") {
                try await send(ExampleTarget(validationType: .successCodes), over: refusing)
            }
            await add("underlying: a refused status with problem details") {
                var transport = refusing
                transport.fields = [
                    HeaderField(name: "Content-Type", value: "application/problem+json")
                ]
                try await send(ExampleTarget(validationType: .successCodes), over: transport)
            }
            add("underlying: an error of an app", MoyaError.underlying(DiskError(), nil))
            add("underlying: cancelled", MoyaError(wrapping: CancellationError()))
            add(
                "underlying: a URLError without a description",
                MoyaError(wrapping: URLError(.timedOut)))
            add(
                "underlying: larger than the limit in memory",
                MoyaError.underlying(URLError.bodyTooLarge(limit: 1_000_000), response))
            await add("underlying: the provider was released") {
                var provider: MoyaProvider<ExampleTarget>? = MoyaProvider(
                    requestClosure: { _, _ in }, transport: ExampleTransport())
                _ = try await withCheckedThrowingContinuation {
                    (continuation: CheckedContinuation<Response, any Error>) in
                    provider?.request(ExampleTarget(), callbackQueue: .global()) {
                        continuation.resume(with: $0)
                    }
                    provider = nil
                }
            }
        }

        private func addRequestErrors() async {
            section("MoyaError: requests that cannot be made")
            add(
                "requestMapping: an invalid URL",
                MoyaError.requestMapping("https://api.example.com/user names"))
            await add("requestMapping: a dot segment") {
                try await send(ExampleTarget(path: "/users/../admin"))
            }
            await add("no http URL") {
                try await send(ExampleTarget(baseURL: URL(fileURLWithPath: "/tmp")))
            }
            await add("an invalid method") {
                try await send(ExampleTarget(method: Moya.Method(rawValue: "GET IT")))
            }
            await add("an invalid header field name") {
                try await send(ExampleTarget(headers: ["X Client": "1"]))
            }
            await add("an invalid header field value") {
                try await send(ExampleTarget(headers: ["X-Client": "1\r\n2"]))
            }
            await add("bodyEncoding of requestCompositeParameters") {
                let task = Moya.Task.requestCompositeParameters(
                    bodyParameters: ["a": 1], bodyEncoding: URLEncoding.queryString,
                    urlParameters: [:])
                try await send(ExampleTarget(method: .post, task: task))
            }
            await add("encodableMapping") {
                try await send(
                    ExampleTarget(method: .post, task: .requestJSONEncodable(Unencodable())))
            }
            await add("returnCacheDataDontLoad without a cache") {
                try await send(ExampleTarget(cachePolicy: .returnCacheDataDontLoad))
            }
        }

        private func addParameterErrors() async {
            section("MoyaError.parameterEncoding")
            await add("JSONEncoding: a value that JSON cannot hold") {
                try await encode(["created": Date(timeIntervalSince1970: 0)], JSONEncoding.default)
            }
            await add("PropertyListEncoding: a value that a property list cannot hold") {
                try await encode(["page": URL(fileURLWithPath: "/")], PropertyListEncoding.default)
            }
            await add("PropertyListEncoding: OpenStep") {
                try await encode(["a": 1], PropertyListEncoding(format: .openStep))
            }
            await add("JSONEncoding: too deep") {
                var value: any Sendable = 1
                for _ in 0..<600 { value = ["a": value] as [String: any Sendable] }
                try await encode(["a": value], JSONEncoding.default)
            }
            await add("URLEncoding: an array in a comma-separated list") {
                try await encode(
                    ["ids": [[1] as [any Sendable]] as [any Sendable]],
                    URLEncoding(arrayEncoding: .commaSeparated))
            }
        }

        private func addPageErrors() async {
            section("PageError")
            let url =
                URL(string: "https://api.example.com/users?page=2") ?? URL(fileURLWithPath: "/")
            add("limit", PageError.limit(1_000))
            add("repeated", PageError.repeated(url))
            add("repeated without a URL", PageError.repeated(nil))
            add("otherOrigin", PageError.otherOrigin(url))
            add("notSafe", PageError.notSafe(.post))
        }

        func addTrustErrors() async {
            section("ServerTrustError")
            await add("ServerTrustManager without an evaluator for the host") {
                let manager = ServerTrustManager(evaluators: [:])
                _ = try manager.serverTrustEvaluator(forHost: "api.example.com")
            }
            await add("PinnedCertificatesTrustEvaluator") {
                try PinnedCertificatesTrustEvaluator(certificates: [])
                    .evaluate([ServerCertificate(der: Data())], forHost: "api.example.com")
            }
            await add("PublicKeysTrustEvaluator") {
                try PublicKeysTrustEvaluator(keys: [])
                    .evaluate([ServerCertificate(der: Data())], forHost: "api.example.com")
            }
            await add("certificates(pem:) without a certificate") {
                _ = try ServerCertificate.certificates(pem: Data())
            }
            await add("certificates(pem:) with a broken certificate") {
                let text = "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n"
                _ = try ServerCertificate.certificates(pem: Data(text.utf8))
            }
            await add("keys(pem:) without a key") { _ = try ServerPublicKey.keys(pem: Data()) }
        }

        private func encode(_ parameters: Parameters, _ encoding: any ParameterEncoding)
            async throws
        {
            let task = Moya.Task.requestParameters(parameters: parameters, encoding: encoding)
            try await send(ExampleTarget(method: .post, task: task))
        }
    }
#endif
