// Tests retries and scripted responses without waiting in real time.
import Foundation
import MoyaCore
import MoyaLayers
import MoyaTesting

func showRetries(of target: some TargetType) async throws {
    let clock = TestClock()
    let stub = StubTransport(.response(503), .response(503), .response(200))
    let transport = stub.retrying(.exponential(), clock: clock)
    let provider = MoyaProvider<MultiTarget>(transport: transport)

    async let response = provider.request(MultiTarget(target))
    for _ in 0..<2 {
        await clock.waitForSleepers()
        clock.advanceToNextSleeper()
    }
    expectResponse(try await response, status: 200)
    print(clock.sleeps)
}

func showScript(of target: some TargetType) async throws {
    let far = ScriptedTransport()
    let first = far.expect(.get, "/users/{id}")
    far.expect(.get, "/users/{id}").respond(.response(200))
    let provider = MoyaProvider<MultiTarget>(transport: far)

    async let response = provider.request(MultiTarget(target))
    let request = try await first.request()
    print(request.parameters["id"] ?? "", request.header("Authorization") ?? "")
    first.respond(.response(401))
    print(try await response.statusCode)
    far.finish()
}

struct Zen: TargetType {
    var baseURL: URL { URL(string: "https://api.github.com") ?? URL(fileURLWithPath: "/") }
    var path: String { "/zen" }
    var method: MoyaCore.Method { .get }
    var task: RequestTask { .requestPlain }
    var headers: [String: String]? { nil }
}

try await showRetries(of: Zen())
