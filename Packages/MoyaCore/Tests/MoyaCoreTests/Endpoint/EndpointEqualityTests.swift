import Foundation
import MoyaCore
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct EndpointEqualityTests {
    struct Body: UploadBody {
        var name: String
        func makeBody(for request: inout URLRequest) throws -> RequestBody {
            .data(Data(name.utf8))
        }
    }

    struct Pair: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let first: Endpoint
        let second: Endpoint

        init(_ name: String, _ first: Endpoint, _ second: Endpoint) {
            testDescription = name
            self.first = first
            self.second = second
        }

        init(_ name: String, tasks first: RequestTask, _ second: RequestTask) {
            self.init(name, .test(method: .post, task: first), .test(method: .post, task: second))
        }
    }

    private static func parameters(_ body: Int, _ query: Int) -> RequestTask {
        .requestCompositeParameters(
            bodyParameters: ["b": body, "c": 0], bodyEncoding: JSONEncoding.default,
            urlParameters: ["q": query, "r": 0])
    }

    private static func data(_ body: UInt8, _ query: Int) -> RequestTask {
        .requestCompositeData(bodyData: Data([body]), urlParameters: ["q": query, "r": 0])
    }

    private static func parameters(
        _ parameters: Parameters, _ encoding: any ParameterEncoding
    ) -> RequestTask {
        .requestParameters(parameters: parameters, encoding: encoding)
    }

    private static func custom(_ value: [String: Int]) -> RequestTask {
        .requestCustomJSONEncodable(value, encoder: JSONEncoder())
    }

    private static func snakeCase() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }

    static let equal = [
        Pair("plain", tasks: .requestPlain, .requestPlain),
        Pair("data", tasks: .requestData(Data([1])), .requestData(Data([1]))),
        Pair(
            "JSON", tasks: .requestJSONEncodable(["a": 1, "b": 2]),
            .requestJSONEncodable(["b": 2, "a": 1])),
        Pair(
            "JSON of a caller's encoder", tasks: custom(["a": 1, "b": 2]),
            custom(["b": 2, "a": 1])),
        Pair(
            "parameters in JSON", tasks: parameters(["a": 1, "b": "x"], JSONEncoding.default),
            parameters(["b": "x", "a": 1], JSONEncoding.default)),
        Pair(
            "parameters in a form", tasks: parameters(["a": 1, "b": "x"], URLEncoding.default),
            parameters(["b": "x", "a": 1], URLEncoding.default)),
        Pair("composite parameters", tasks: parameters(1, 2), parameters(1, 2)),
        Pair("composite data", tasks: data(1, 2), data(1, 2)),
        Pair(
            "uploads", tasks: RequestTask(body: .upload(Body(name: "a"))),
            RequestTask(body: .upload(Body(name: "a")))),
        Pair(
            "different sample responses", .test(sample: .networkResponse(200, Data())),
            .test(sample: .networkResponse(500, Data([1])))),
        Pair(
            "header fields", .test(headers: ["A": "1", "B": "2"]),
            .test(headers: ["B": "2", "A": "1"])),
        Pair(
            "different deliveries", tasks: RequestTask(delivery: MemoryDelivery(limit: 1)),
            RequestTask(delivery: RequestTests.FailingDelivery())),
        Pair("nil and empty header fields", .test(headers: nil), .test(headers: [:])),
        Pair("invalid URLs", .test(url: "no URL"), .test(url: "no URL")),
    ]

    static let different = [
        Pair("URL", .test(url: "http://a.test/1"), .test(url: "http://a.test/2")),
        Pair("method", .test(method: .get), .test(method: .head)),
        Pair("header value", .test(headers: ["A": "1"]), .test(headers: ["A": "2"])),
        Pair("header missing", .test(headers: ["A": "1"]), .test()),
        Pair("data", tasks: .requestData(Data([1])), .requestData(Data([2]))),
        Pair("data and no body", tasks: .requestData(Data([1])), .requestPlain),
        Pair("JSON", tasks: .requestJSONEncodable(["a": 1]), .requestJSONEncodable(["a": 2])),
        Pair("JSON of a caller's encoder", tasks: custom(["a": 1]), custom(["a": 2])),
        Pair(
            "encoder", tasks: .requestCustomJSONEncodable(CamelCase(), encoder: JSONEncoder()),
            .requestCustomJSONEncodable(CamelCase(), encoder: snakeCase())),
        Pair(
            "parameters in JSON", tasks: parameters(["a": 1], JSONEncoding.default),
            parameters(["a": 2], JSONEncoding.default)),
        Pair(
            "parameters in a form", tasks: parameters(["a": 1], URLEncoding.default),
            parameters(["b": 1], URLEncoding.default)),
        Pair("body parameters", tasks: parameters(1, 2), parameters(3, 2)),
        Pair("URL parameters", tasks: parameters(1, 2), parameters(1, 3)),
        Pair("data beside URL parameters", tasks: data(1, 2), data(3, 2)),
        Pair("URL parameters beside data", tasks: data(1, 2), data(1, 3)),
        Pair(
            "uploads", tasks: RequestTask(body: .upload(Body(name: "a"))),
            RequestTask(body: .upload(Body(name: "b")))),
        Pair("valid and invalid URL", .test(), .test(url: "no URL")),
        Pair("invalid URLs", .test(url: "no URL"), .test(url: "none either")),
    ]

    struct CamelCase: Encodable, Sendable { var aB = 1 }

    @Test(arguments: equal)
    func `endpoints that make equal requests are equal and have equal hashes`(_ pair: Pair) {
        #expect(pair.first == pair.second)
        #expect(pair.first.hashValue == pair.second.hashValue)
        #expect(Set([pair.first, pair.second]).count == 1)
    }

    @Test(arguments: different)
    func `endpoints that make different requests are not equal`(_ pair: Pair) {
        #expect(pair.first != pair.second)
        #expect(Set([pair.first, pair.second]).count == 2)
    }
}
