// A target with a response type. The response type is `nonisolated`, because the target's
// conformance decodes it off the main actor.
import Foundation
import Moya

nonisolated struct Author: Decodable, Sendable {
    var name: String
}

struct GetAuthor: ResponseTarget {
    typealias Response = Author

    let id: Int

    var baseURL: URL { Service.base }
    var path: String { "/authors/\(segment: id)" }
}

final class AuthorModel {
    private(set) var name = ""
    private let provider: MoyaProvider<MultiTarget>

    init(provider: MoyaProvider<MultiTarget>) {
        self.provider = provider
    }

    func load() async throws {
        name = try await provider.request(GetAuthor(id: 1)).name
    }
}
