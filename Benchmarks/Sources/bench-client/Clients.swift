import Foundation
import MoyaCore
import MoyaMultipart
import MoyaTransportCurl
import MoyaTransportFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client to measure.
protocol Client: Sendable {
    /// Sends one request and reads its response.
    func exchange() async throws
    /// Sends `count` requests, each after the response to the previous one.
    func run(_ count: Int) async -> Latencies
    /// Executor of the tasks that call ``exchange()``. `nil` is the default executor.
    var executor: (any TaskExecutor)? { get }
    func close() async throws
}

extension Client {
    var executor: (any TaskExecutor)? { nil }

    func run(_ count: Int) async -> Latencies {
        let latencies = Latencies(count)
        for _ in 0..<count {
            let start = DispatchTime.now()
            do {
                try await exchange()
                latencies.add(since: start)
            } catch {
                latencies.add(since: start, error)
            }
        }
        return latencies
    }

    func close() async throws {}
}

enum Clients {
    static let names =
        [
            "provider", "provider-typed", "provider-hosted", "provider-callback",
            "provider-callback-awaited", "provider-stream", "transport", "transport-hosted", "stub",
            "form", "foundation", "urlsession", "async-http-client",
            Cancelling.name,
        ] + Layers.names

    /// Creates the client named in `options`, or returns `nil` if the name is unknown.
    static func make(_ options: Options) throws -> (any Client)? {
        guard let url = URL(string: options.url) else { return nil }
        switch options.client {
        case "provider", "form":
            return ProviderClient(provider(options, url, try curl(options)), url, options)
        case "provider-typed":
            return TypedClient(provider(options, url, try curl(options)), url, options)
        case "provider-callback":
            return CallbackClient(provider(options, url, try curl(options)), url, options)
        case "provider-callback-awaited":
            return AwaitedCallbackClient(
                base: CallbackClient(provider(options, url, try curl(options)), url, options))
        case "provider-stream":
            let provider: MoyaProvider<Page> = provider(options, url, try curl(options))
            return StreamClient(provider: provider, page: Page(url, options))
        case "transport": return TransportClient(try curl(options), url, options)
        case "transport-hosted":
            return HostedClient(try curl(options)) { TransportClient($0, url, options) }
        case "provider-hosted":
            return HostedClient(try curl(options)) {
                ProviderClient(provider(options, url, $0), url, options)
            }
        case "stub":
            let provider = MoyaProvider<Page>(
                stubClosure: MoyaProvider.immediatelyStub, transport: FoundationTransport())
            return ProviderClient(provider, url, options)
        case "foundation":
            return ProviderClient(provider(options, url, FoundationTransport()), url, options)
        case "urlsession": return SessionClient(url, options)
        case "async-http-client": return try NIOClient(options)
        default:
            guard let transport = Layers.wrap(try curl(options), in: options.client) else {
                return nil
            }
            return ProviderClient(provider(options, url, transport), url, options)
        }
    }

    private static func curl(_ options: Options) throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        if let ca = options.ca { configuration.tls.trust = .file(URL(fileURLWithPath: ca)) }
        if let threads = options.threads { configuration.threads = threads }
        if !options.defaults {
            configuration.maxIdleConnections = options.inFlight + 16
            configuration.maxConnectionsPerHost = 0
            configuration.maxConnections = options.connections ?? 0
        }
        return try CurlTransport(configuration: configuration)
    }

    private static func provider<Target>(
        _ options: Options, _ url: URL, _ transport: any Transport
    ) -> MoyaProvider<Target> {
        MoyaProvider(callbackQueue: DispatchQueue(label: "callbacks"), transport: transport)
    }
}

/// The target that clients with a provider request.
struct Page: TargetType {
    let baseURL: URL
    var path: String
    var task = RequestTask.requestPlain
    var method: Moya.Method = .get
    var headers: [String: String]? { ["User-Agent": "bench"] }
    var validationType: ValidationType { .successCodes }

    init(_ url: URL, _ options: Options) {
        baseURL = url.deletingLastPathComponent()
        path = url.lastPathComponent
        if let file = options.download {
            let destination = URL(fileURLWithPath: file)
            task = .downloadDestination { _, _ in (destination, [.removePreviousFile]) }
        } else if let file = options.upload {
            method = .put
            let file = URL(fileURLWithPath: file)
            task =
                options.client == "form"
                ? .uploadMultipartFormData([.init(provider: .file(file), name: "file")])
                : .uploadFile(file)
        }
    }
}

/// A provider: target, endpoint, request, transport and response.
struct ProviderClient: Client {
    let provider: MoyaProvider<Page>
    let page: Page

    init(_ provider: MoyaProvider<Page>, _ url: URL, _ options: Options) {
        self.provider = provider
        page = Page(url, options)
    }

    func exchange() async throws { _ = try await provider.request(page) }
}

/// ``Page`` with a response type. The response is `Data`, so nothing is decoded.
struct TypedPage: ResponseTarget {
    typealias Response = Data

    let page: Page
    var baseURL: URL { page.baseURL }
    var path: String { page.path }
    var method: Moya.Method { page.method }
    var task: RequestTask { page.task }
    var headers: [String: String]? { page.headers }
}

/// A provider of targets with a response type.
struct TypedClient: Client {
    let provider: MoyaProvider<TypedPage>
    let page: TypedPage

    init(_ provider: MoyaProvider<TypedPage>, _ url: URL, _ options: Options) {
        self.provider = provider
        page = TypedPage(page: Page(url, options))
    }

    func exchange() async throws {
        let _: Data = try await provider.request(page)
    }
}

/// A provider with completions. Each sends the next request.
struct CallbackClient: Client {
    let provider: MoyaProvider<Page>
    let page: Page

    init(_ provider: MoyaProvider<Page>, _ url: URL, _ options: Options) {
        self.provider = provider
        page = Page(url, options)
    }

    func exchange() async throws {
        _ = try await withUnsafeThrowingContinuation { continuation in
            provider.request(page) { continuation.resume(with: $0) }
        }
    }

    func run(_ count: Int) async -> Latencies {
        await withUnsafeContinuation { continuation in
            send(count, Latencies(count)) { continuation.resume(returning: $0) }
        }
    }

    private func send(
        _ count: Int, _ latencies: Latencies, whenDone: @escaping @Sendable (Latencies) -> Void
    ) {
        guard count > 0 else { return whenDone(latencies) }
        let start = DispatchTime.now()
        provider.request(page) { result in
            latencies.add(since: start, result.error)
            send(count - 1, latencies, whenDone: whenDone)
        }
    }
}

/// A provider with completions. A task awaits each of them, and sends the next request.
struct AwaitedCallbackClient: Client {
    let base: CallbackClient

    func exchange() async throws { try await base.exchange() }
}

/// A provider whose responses are streams.
struct StreamClient: Client {
    let provider: MoyaProvider<Page>
    let page: Page

    func exchange() async throws {
        for try await _ in try await provider.stream(page) {}
    }
}

extension Result {
    fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}

/// A transport without a provider.
struct TransportClient: Client {
    let transport: CurlTransport
    /// A request for each origin.
    let requests: [TransportRequest]

    init(_ transport: CurlTransport, _ url: URL, _ options: Options) {
        self.transport = transport
        requests = options.urls(from: url).map { url in
            // A long timeout: requests that wait in a long queue must not fail.
            var request = URLRequest(url: url, timeoutInterval: 600)
            request.setValue("bench", forHTTPHeaderField: "User-Agent")
            return TransportRequest(request)
        }
    }

    func exchange() async throws {
        let request =
            requests.count == 1 ? requests[0] : requests[Int.random(in: 0..<requests.count)]
        let response = try await transport.send(request)
        guard response.head.statusCode == 200 else { throw URLError(.badServerResponse) }
    }
}

/// Another client whose tasks run on the transport's thread.
struct HostedClient<Base: Client>: Client {
    let transport: CurlTransport
    let base: Base

    init(_ transport: CurlTransport, _ makeBase: (CurlTransport) -> Base) {
        self.transport = transport
        base = makeBase(transport)
    }

    var executor: (any TaskExecutor)? { transport.taskExecutor }

    func exchange() async throws { try await base.exchange() }
}

/// URLSession without this package.
struct SessionClient: Client {
    let session: URLSession
    let request: URLRequest

    init(_ url: URL, _ options: Options) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpMaximumConnectionsPerHost = max(1, options.inFlight)
        session = URLSession(configuration: configuration)
        request = URLRequest(url: url)
    }

    func exchange() async throws {
        let (_, response) = try await session.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            throw URLError(.badServerResponse)
        }
    }
}
