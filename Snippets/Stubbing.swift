// Tests without a network.
import Foundation
import MoyaCore
import MoyaTesting

enum Shop: TargetType, Equatable {
    case price(item: Int)

    var baseURL: URL { URL(string: "https://shop.example") ?? URL(fileURLWithPath: "/") }
    var path: String { "/price" }
    var method: MoyaCore.Method { .get }
    var task: RequestTask {
        switch self {
        case .price(let item):
            .requestParameters(parameters: ["item": item], encoding: URLEncoding.queryString)
        }
    }
    var headers: [String: String]? { nil }
    var sampleData: Data { Data("99".utf8) }
}

func showStubs() async throws {
    // With the target's own sample data, as in Moya.
    let sampled = MoyaProvider<Shop>(
        stubClosure: MoyaProvider.immediatelyStub,
        transport: StubTransport { _ in throw URLError(.notConnectedToInternet) })
    print(try await sampled.request(.price(item: 1)).mapString())

    // With answers of the test's own, one after the other, and a record of what was asked.
    let provider = StubbedProvider<Shop>()
    provider.stub(.price(item: 2), with: .failure(.timedOut), .response(200, data: Data("12".utf8)))
    _ = try? await provider.request(.price(item: 2))
    print(try await provider.request(.price(item: 2)).mapString())
    print(provider.requestCount(of: .price(item: 2)))
}
