import Foundation
@_spi(MoyaInternals) import MoyaCore

/// A target type whose members `@API` has generated.
public protocol APITarget: ListedTarget {
    /// The requests as functions.
    associatedtype Requests: APIRequests where Requests.Target == Self

    /// The type of the API's error body: the argument `failure` of `@API`.
    associatedtype Failure = Never
}

/// The requests of an ``APITarget`` as functions that return the decoded response.
public protocol APIRequests: Sendable {
    /// The target type of the requests.
    associatedtype Target: TargetType

    /// Creates functions that send their requests with `send`.
    init(send: APISender<Target>)
}

/// Sends the requests of ``APIRequests`` with a provider.
public struct APISender<Target: TargetType>: Sendable {
    fileprivate let request: @Sendable (Target) async throws -> Response
    fileprivate let linkedPages: @Sendable (Target, Int) -> PageSequence<Response>

    /// Sends a request.
    ///
    /// - Throws: `MoyaError`
    public func callAsFunction(_ target: Target) async throws -> Response {
        try await request(target)
    }

    /// Returns the decoded pages of a list, at most `limit`.
    public func pages<Value>(
        of target: Target, as value: ResponseValue<Value>, limit: Int
    ) -> PageSequence<Value> {
        linkedPages(target, limit).decoding { try value.value(of: $0) }
    }
}

extension MoyaProvider where Target: APITarget {
    /// The requests as functions: `try await provider.api.user(name: "ashfurrow")`.
    ///
    /// They throw `MoyaError`. Cancelling the task cancels the request. `pages(of:)` reads a list
    /// page by page: `for try await repos in provider.api.pages(of: .repos(org: "apple")) { … }`.
    public var api: Target.Requests {
        Target.Requests(
            send: APISender {
                try await self.request($0)
            } linkedPages: {
                self.linkedPages(of: $0, limit: $1)
            })
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Returns the requests of one API as functions: `try await
    /// provider.api(GitHub.self).user(name: "ashfurrow")`.
    ///
    /// They throw `MoyaError`. Cancelling the task cancels the request.
    public func api<API: APITarget>(_ type: API.Type) -> API.Requests {
        API.Requests(
            send: APISender {
                try await self.request(MultiTarget($0))
            } linkedPages: {
                self.linkedPages(of: MultiTarget($0), limit: $1)
            })
    }
}

extension MoyaError {
    /// Decodes the body of a response whose status code validation rejected, as the type that
    /// `@API(…, failure: APIError.self)` names. Returns `nil` for all other errors, and if the body
    /// cannot be decoded.
    ///
    /// ```swift
    /// } catch let error as MoyaError {
    ///     print(error.failure(of: GitHub.self)?.message ?? error.localizedDescription)
    /// }
    /// ```
    public func failure<API: APITarget>(of api: API.Type) -> API.Failure?
    where API.Failure: Decodable {
        failure(as: API.Failure.self)
    }
}
