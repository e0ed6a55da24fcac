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
    ///
    /// - Throws: ``Failure``, as the other methods do.
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

    /// A book by its number.
    public func book(_ id: Int) async throws -> Book {
        try await request(.book(id: id), as: Book.self)
    }

    /// Puts a book on the shelf.
    public func add(_ book: NewBook) async throws -> Book {
        try await request(.add(book), as: Book.self)
    }

    /// Takes a book off the shelf. One that is not there is fine.
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
