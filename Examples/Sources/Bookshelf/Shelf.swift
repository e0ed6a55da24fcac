import Foundation
import Moya

/// What the app does with the book service. It takes any provider, so that tests bring theirs.
public struct Shelf: Sendable {
    /// What the app shows where something went wrong.
    public enum Failure: Error, Equatable {
        case noSuchBook
        case offline
        case unavailable
    }

    private let provider: MoyaProvider<BookAPI>

    public init(provider: MoyaProvider<BookAPI>) {
        self.provider = provider
    }

    /// The titles of all that is found, page after page.
    public func titles(matching text: String) async throws(Failure) -> [String] {
        var titles: [String] = []
        var page = 1
        while true {
            let found = try await request(.search(text, page: page), as: SearchPage.self)
            titles += found.books.map(\.title)
            guard found.hasMore else { return titles }
            page += 1
        }
    }

    /// A book by its number.
    public func book(_ id: Int) async throws(Failure) -> Book {
        try await request(.book(id: id), as: Book.self)
    }

    /// Puts a book on the shelf.
    public func add(_ book: NewBook) async throws(Failure) -> Book {
        try await request(.add(book), as: Book.self)
    }

    /// Takes a book off the shelf. One that is not there is fine.
    public func remove(_ id: Int) async throws(Failure) {
        do throws(MoyaError) {
            _ = try await provider.request(.remove(id: id))
        } catch {
            guard error.response?.statusCode != 404 else { return }
            throw Failure(error)
        }
    }

    private func request<Value: Decodable>(
        _ target: BookAPI, as type: Value.Type
    ) async throws(Failure) -> Value {
        do throws(MoyaError) {
            return try await provider.request(target, as: type)
        } catch {
            throw Failure(error)
        }
    }
}

extension Shelf.Failure {
    fileprivate init(_ error: MoyaError) {
        if error.response?.statusCode == 404 {
            self = .noSuchBook
        } else if let cause = error.underlyingError as? URLError,
            [.notConnectedToInternet, .networkConnectionLost, .timedOut].contains(cause.code)
        {
            self = .offline
        } else {
            self = .unavailable
        }
    }
}
