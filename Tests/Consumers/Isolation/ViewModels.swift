// View models on the main actor: one with completions and one with `await`.
import Foundation
import Moya

final class CallbackModel {
    private(set) var books: [Book] = []
    private(set) var fraction = 0.0
    private(set) var message: String?
    private var token: (any Cancellable)?
    private let provider: MoyaProvider<Shelf>

    init(provider: MoyaProvider<Shelf>) {
        self.provider = provider
    }

    func load() {
        token = provider.request(.books(page: 1)) { [weak self] result in
            let books = Result { try result.get().map([Book].self) }
            MainActor.assumeIsolated { self?.show(books) }
        }
    }

    func loadCover() {
        provider.request(
            .cover(id: 1),
            progress: { [weak self] progress in
                let fraction = progress.progress
                MainActor.assumeIsolated { self?.fraction = fraction }
            }
        ) { _ in }
    }

    func cancel() { token?.cancel() }

    private func show(_ result: Result<[Book], any Error>) {
        switch result {
        case .success(let books): self.books = books
        case .failure(let error): message = error.localizedDescription
        }
    }
}

final class AsyncModel {
    private(set) var books: [Book] = []
    private(set) var fraction = 0.0
    private(set) var message: String?
    private let provider: MoyaProvider<Shelf>

    init(provider: MoyaProvider<Shelf>) {
        self.provider = provider
    }

    func load() async {
        do {
            books = try await provider.request(.books(page: 1), as: [Book].self)
            books.append(try await provider.request(.book(id: 1)).map(Book.self))
        } catch MoyaError.underlying(let error as URLError, _) where error.code == .cancelled {
            message = nil
        } catch {
            message = error.localizedDescription
        }
    }

    func loadCover() async throws -> Data {
        for try await progress in provider.progress(of: .cover(id: 1)) {
            fraction = progress.progress
            if let response = progress.response { return response.data }
        }
        return Data()
    }

    func loadPieces() async throws -> Int {
        var count = 0
        for try await chunk in try await provider.stream(.cover(id: 1)) { count += chunk.count }
        return count
    }
}

/// Plugins and layers are `nonisolated`, because providers call them off the main actor.
nonisolated struct CountingPlugin: PluginType {
    let count: @Sendable () -> Void

    func willSend(_ request: any RequestType, target: any TargetType) { count() }
}

nonisolated struct SlowLayer: Transport {
    let next: any Transport

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await next.send(request)
    }
}

func makeProvider() -> MoyaProvider<Shelf> {
    MoyaProvider(
        stubClosure: MoyaProvider.immediatelyStub,
        transport: SlowLayer(next: CurlTransport()).retrying(),
        plugins: [CountingPlugin {}, AccessTokenPlugin { _ in "token" }])
}
