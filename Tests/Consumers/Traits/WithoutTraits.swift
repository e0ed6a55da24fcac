// Uses the API of each trait while all traits are off, and initializers with names that are easily
// guessed. `scripts/check-consumers traits` expects the message after `// error:` on each line that
// has one, and no other error.
import Foundation
import MoyaCombine
import MoyaCore
import MoyaLayers
import MoyaMacros
import MoyaMockServer
import MoyaOpenAPI
import MoyaPlugins
import MoyaReactiveSwift
import MoyaRxSwift
import MoyaStubs
import MoyaTransportConformance
import MoyaTransportNIO
import MoyaXML

func layers<Base: Transport>(_ base: Base, logger: String) {
    _ = base.logging(to: logger)  // error: Turn on the trait Logging
    _ = base.measuring()  // error: Turn on the trait Metrics
    _ = base.tracing()  // error: Turn on the trait Tracing
    _ = base.retrying(.exponential())
        .logging(to: logger)  // error: Turn on the trait Logging
        .timingOut(after: 1)
    _ = TransportService(base)  // error: Turn on the trait ServiceLifecycle
}

func plugins(logger: String) {
    _ = NetworkLoggerPlugin.Configuration.output(to: logger)  // error: Turn on the trait Logging
}

func coders() {
    _ = Coders.json.addingXML()  // error: Turn on the trait XML
    _ = XMLBodyDecoder()  // error: Turn on the trait XML
    _ = XMLBodyEncoder()  // error: Turn on the trait XML
}

func transports(client: String) async {
    _ = HTTPClientTransport()  // error: trait AsyncHTTPClient
    let transport = HTTPClientTransport(sharing: client)  // error: trait AsyncHTTPClient
    _ = MoyaProvider<MultiTarget>(transport: transport)
    await transport.shutdown()
    _ = HTTPClientTransport.defaultConfiguration  // error: trait AsyncHTTPClient
}

func generatedClients(_ provider: MoyaProvider<MultiTarget>, request: String) async throws {
    _ = OpenAPITransport(provider.transport)  // error: Turn on the trait OpenAPI
    _ = try await provider.send(request)  // error: Turn on the trait HTTPTypes
}

func documents() throws {
    _ = try OpenAPIDocument(yaml: Data())  // error: Turn on the trait YAML
}

func servers() throws {
    _ = try NIOMockServer()  // error: Turn on the trait MockServer
    _ = try NIOMockServer(.init(tls: .init(.valid)))  // error: Turn on the trait MockServer
    let _: MockFault  // error: Turn on the trait MockServer
    let _: MockAuthority  // error: Turn on the trait MockServer
    let _: MockIdentity  // error: Turn on the trait MockServer
}

func conformance() {
    for _ in TransportConformance.secureCases {}  // error: Turn on the trait MockServer
    let _: TransportConformance.SecureCase  // error: Turn on the trait MockServer
    let _: TransportConformance.Requirements  // error: Turn on the trait MockServer
}

func streams(_ provider: MoyaProvider<MultiTarget>, _ target: MultiTarget) {
    _ = provider.rx.request(target)  // error: Turn on the trait RxSwift
    _ = provider.rx.requestWithProgress(target)  // error: Turn on the trait RxSwift
    provider.rx.request(target).subscribe { _ in }  // error: TraitRxSwiftIsOff
    _ = provider.reactive.request(target)  // error: Turn on the trait ReactiveSwift
    provider.reactive.request(target).start()  // error: TraitReactiveSwiftIsOff
    _ = provider.requestPublisher(target)  // error: Turn on the trait OpenCombine
    _ = provider.requestWithProgressPublisher(target)  // error: Turn on the trait OpenCombine
    provider.requestPublisher(target).sink { _ in }  // error: TraitOpenCombineIsOff
}

func images(_ response: Response) throws {
    _ = try response.mapImage()  // error: This platform has no image type
}

func names(_ urlRequest: URLRequest) {
    _ = AccessToken(value: "a")  // error: has been renamed
    _ = TransportRequest(urlRequest: urlRequest)  // error: has been renamed
}

@API("https://a.test")  // error: Turn on the trait Macros
enum ByMacro {
    case a
}
