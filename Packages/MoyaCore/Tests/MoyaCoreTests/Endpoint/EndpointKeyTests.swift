import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Endpoints as dictionary keys, with bodies whose key order differs from encoding to encoding.
@Suite(.timeLimit(.minutes(3))) struct EndpointKeyTests {
    private static func form(_ number: Int) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: (0..<12).map { ("field\($0)", number + $0) })
    }

    private static func endpoint(_ number: Int, encoder: JSONEncoder = JSONEncoder()) -> Endpoint {
        .test(
            method: .post, task: .requestCustomJSONEncodable(form(number), encoder: encoder))
    }

    @Test func `200 endpoints whose encoder does not sort keys are found again in a dictionary`() {
        var numbers: [Endpoint: Int] = [:]
        let endpoints = (0..<200).map { Self.endpoint($0) }
        for (number, endpoint) in endpoints.enumerated() { numbers[endpoint] = number }
        #expect(numbers.count == 200)
        #expect(endpoints.map { numbers[$0] } == Array(0..<200))
        #expect((0..<200).map { numbers[Self.endpoint($0)] } == Array(0..<200))
    }

    /// An encoding whose output differs from call to call.
    private struct CountingEncoding: ParameterEncoding {
        let calls = Recorder<Void>()

        func encode(
            _ urlRequest: any URLRequestConvertible, with parameters: Parameters?
        ) throws -> URLRequest {
            var request = try urlRequest.asURLRequest()
            request.httpBody = Data("\(calls.add(()))".utf8)
            return request
        }
    }

    @Test func `an endpoint with a random encoding keeps its hash and is encoded once`() {
        let encoding = CountingEncoding()
        let endpoint = Endpoint.test(
            task: .requestParameters(parameters: ["a": 1], encoding: encoding))
        let other = Endpoint.test()
        let hashes = (0..<10).map { _ in endpoint.hashValue }
        #expect(Set(hashes).count == 1)
        #expect(Set([endpoint, other]).contains(endpoint))
        #expect(endpoint != other)
        #expect(encoding.calls.count == 1)
    }

    /// A subclass of JSONEncoder that overrides `encode`.
    private final class Shouting: JSONEncoder, @unchecked Sendable {
        // Safe to share: it adds no state.
        override func encode<Value: Encodable>(_ value: Value) throws -> Data {
            Data(String(decoding: try super.encode(value), as: UTF8.self).uppercased().utf8)
        }
    }

    @Test func `a subclass of JSONEncoder encodes the body itself`() throws {
        let task = RequestTask.requestCustomJSONEncodable(["a": "b"], encoder: Shouting())
        let request = try Endpoint.test(method: .post, task: task).urlRequest()
        #expect(request.httpBody == Data(#"{"A":"B"}"#.utf8))
    }

    @Test func `an encoder's settings hold for a body whose keys are sorted`() throws {
        struct Event: Encodable {
            var startsAt = Date(timeIntervalSince1970: 60)
            var ratio = Double.infinity
            var bytes = Data([1, 2])
            var page = "a/b"
        }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.dataEncodingStrategy = .deferredToData
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        encoder.outputFormatting = .withoutEscapingSlashes
        let greeting = try #require(CodingUserInfoKey(rawValue: "greeting"))
        encoder.userInfo = [greeting: "hello"]
        struct Greeted: Encodable {
            var greeting: CodingUserInfoKey
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(encoder.userInfo[greeting] as? String, forKey: .b)
                try container.encode(Event(), forKey: .a)
            }
            enum Key: CodingKey { case a, b }
        }
        let task = RequestTask.requestCustomJSONEncodable(
            Greeted(greeting: greeting), encoder: encoder)
        let body = try Endpoint.test(method: .post, task: task).urlRequest().httpBody
        let expected =
            #"{"a":{"bytes":[1,2],"page":"a/b","ratio":"inf","starts_at":60},"b":"hello"}"#
        #expect(String(decoding: body ?? Data(), as: UTF8.self) == expected)
        #expect(!encoder.outputFormatting.contains(.sortedKeys))
    }

    @Test func `40 equal requests whose encoder does not sort keys are sent once`() async throws {
        let transport = GatedTransport()
        let provider = MoyaProvider<AnyTarget>(
            callbackQueue: DispatchQueue(label: "callbacks"), transport: transport,
            trackInflights: true)
        let target = AnyTarget(
            method: .post,
            task: .requestCustomJSONEncodable(Self.form(1), encoder: JSONEncoder()))
        let responses = Recorder<Response>()
        try await withCallback { (continuation: Callback<Void>) in
            for _ in 0..<40 {
                provider.request(target) { result in
                    let response = (try? result.get()) ?? Response("", status: 0)
                    if responses.add(response) == 40 { continuation.resume() }
                }
            }
            #expect(provider.inflightRequests[provider.endpoint(target)]?.count == 40)
            transport.open()
        }
        #expect(transport.sendCount == 1)
        #expect(responses.items.allSatisfy { $0.statusCode == 200 })
    }
}
