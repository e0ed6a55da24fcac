// Tests without a network.
import Foundation
import MoyaCore
import MoyaTesting

enum Shop: TargetType, Equatable {
    case price(item: Int)
    case order(item: Int, count: Int)

    var baseURL: URL { URL(string: "https://shop.example") ?? URL(fileURLWithPath: "/") }
    var path: String {
        switch self {
        case .price(let item): "/prices/\(item)"
        case .order: "/orders"
        }
    }
    var method: MoyaCore.Method {
        switch self {
        case .price: .get
        case .order: .post
        }
    }
    var task: RequestTask {
        switch self {
        case .price: .requestPlain
        case .order(let item, let count):
            .requestParameters(
                parameters: ["item": item, "count": count], encoding: JSONEncoding.default)
        }
    }
    var headers: [String: String]? { nil }
    var sampleData: Data { Data("99".utf8) }
}

func showStubs() async throws {
    // With the target's sample data, as in Moya.
    let sampled = MoyaProvider<Shop>(
        stubClosure: MoyaProvider.immediatelyStub,
        transport: StubTransport { _ in throw URLError(.notConnectedToInternet) })
    print(try await sampled.request(.price(item: 1)).mapString())

    // With responses that the test sets, one after the other, and a record of the requests.
    let provider = StubbedProvider<Shop>()
    provider.stub(.price(item: 2), with: .failure(.timedOut), .text("12"))
    _ = try? await provider.request(.price(item: 2))
    print(try await provider.request(.price(item: 2)).mapString())
    provider.received(.price(item: 2), times: 2)
}

func showPatterns(fixtures: Bundle) async throws {
    let provider = StubbedProvider<Shop>(unstubbed: .fail, verifiesOnDeinit: true)
    // Every `.price`, one particular `.order`, and requests that match by path and body.
    provider.on(any: Shop.price).respond(try .resource("price.json", in: fixtures))
    provider.on(.order(item: 3, count: 1)).respond(
        .response(503), .response(503), .response(201), repeating: .never)
    provider.on(.path("/orders") && .jsonBody(["count": 0])).respond { asked in
        try .json(["error": "\(asked.target) is empty"], status: 422)
    }
    // A slow download in pieces, and one whose connection is lost after 10,000 bytes.
    let film = URL(fileURLWithPath: "film.mp4")
    provider.on(where: { $0.method == .get }).respond(
        .file(film).chunked(4096, every: 0.1), .file(film).cutOff(afterBytes: 10_000))

    _ = try await provider.request(.order(item: 4, count: 0))
    provider.received(inOrder: .price(item: 1), .order(item: 4, count: 0))
}

func showRoutes() async throws {
    let transport = StubTransport()
    transport.on(.get, "/prices/{item}").respond { request in
        .text("\(request.parameters["item"] ?? "")0")
    }
    transport.on(.method(.post) && .header("Idempotency-Key")).respond(.response(201))
    let provider = MoyaProvider<Shop>(transport: transport)
    let response = try await provider.request(.price(item: 7))
    expectResponse(response, status: 200, text: "70")
    transport.expectRequest(.get, "/prices/{item}", times: 1)
}
