import Foundation
import Moya

/// The app's access to the book service. Tests inject their own provider.
public struct Shelf: Sendable {
    /// Errors that the app can show.
    public enum Failure: Error, Equatable {
        case noSuchBook
        case offline
        case unavailable
    }

    private let provider: MoyaProvider<BookAPI>

    public init(provider: MoyaProvider<BookAPI>) {
        self.provider = provider
    }

    /// Returns the titles of all matching books, from every page of results.
    ///
    /// - Throws: ``Failure``, like the other methods.
    public func titles(matching text: String) async throws -> [String] {
        let first = BookAPI.search(text, page: 1)
        let pages = provider.pages(of: first, as: SearchPage.self) { asked, found in
            guard found.hasMore, case .search(let text, let page) = asked else { return nil }
            return .search(text, page: page + 1)
        }
        do {
            return try await pages.reduce(into: []) { $0 += $1.books.map(\.title) }
        } catch {
            throw Failure(MoyaError(wrapping: error))
        }
    }

    /// Returns the book with this `id`.
    public func book(_ id: Int) async throws -> Book {
        try await request(.book(id: id), as: Book.self)
    }

    /// Adds `book` and returns it with its `id`.
    public func add(_ book: NewBook) async throws -> Book {
        try await request(.add(book), as: Book.self)
    }

    /// Removes a book. Succeeds if the service does not have the book (404).
    public func remove(_ id: Int) async throws {
        do {
            _ = try await provider.request(.remove(id: id))
        } catch let error as MoyaError {
            guard error.response?.statusCode != 404 else { return }
            throw Failure(error)
        }
    }

    private func request<Value: Decodable>(
        _ target: BookAPI, as type: Value.Type
    ) async throws -> Value {
        do {
            return try await provider.request(target, as: type)
        } catch let error as MoyaError {
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
