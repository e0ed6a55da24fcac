import Foundation
import MoyaCore
import MoyaInternals

/// Expected body of the response to a target.
public struct CatalogExpectation: Sendable, CustomStringConvertible {
    /// The expectation in words, for reports: the name of a type, for example.
    public let description: String
    /// Whether a body is expected. `nil` allows both.
    let wantsBody: Bool?
    private let check: @Sendable (Response) throws -> Void

    private init(
        _ description: String, wantsBody: Bool?,
        _ check: @escaping @Sendable (Response) throws -> Void
    ) {
        self.description = description
        self.wantsBody = wantsBody
        self.check = check
    }

    /// Accepts any body.
    public static let anything = CatalogExpectation("anything", wantsBody: nil) { _ in }

    /// Expects an empty body.
    public static let noBody = CatalogExpectation("no body", wantsBody: false) { response in
        guard response.data.isEmpty else {
            throw Mismatch("has \(response.data.count) bytes, where no body is expected.")
        }
    }

    /// Expects UTF-8 text.
    public static let text = CatalogExpectation("text", wantsBody: true) { response in
        guard String(data: response.data, encoding: .utf8) != nil else {
            throw Mismatch("is no text in UTF-8.")
        }
    }

    /// Expects a body that decodes into `type`: JSON, unless the coders decode another format.
    ///
    /// - Parameters:
    ///   - type: Type to decode.
    ///   - keyPath: Path of the value in the JSON, names joined by dots. `nil` decodes the whole
    ///     body.
    ///   - decoder: Decoder of the value. `nil` uses the coders of the target, otherwise of the
    ///     provider.
    public static func json<Value: Decodable & SendableMetatype>(
        _ type: Value.Type, atKeyPath keyPath: String? = nil,
        using decoder: JSONDecoder? = nil
    ) -> CatalogExpectation {
        CatalogExpectation("\(type)", wantsBody: true) { response in
            do {
                _ = try response.map(type, atKeyPath: keyPath, using: decoder)
            } catch MoyaError.objectMapping(let error as DecodingError, _) {
                throw Mismatch("does not decode into \(type): \(DecodingPlace.describe(error)).")
            } catch MoyaError.jsonMapping {
                let place = keyPath.map { " with something at \"\($0)\"" } ?? ""
                throw Mismatch("is no JSON\(place), and has to decode into \(type).")
            } catch {
                throw Mismatch("does not decode into \(type): \(error)")
            }
        }
    }

    /// Expects a body that decodes into the response type of a `ResponseTarget`, with the coders of
    /// the target or else of the provider. Default for entries of such targets.
    public static func response<Target: ResponseTarget>(of target: Target) -> CatalogExpectation {
        let name = Target.Response.self == Void.self ? "nothing" : "\(Target.Response.self)"
        return CatalogExpectation(name, wantsBody: wantsBody(Target.Response.self)) { response in
            try decoding(name) {
                _ = try target.decode(response, with: target.coders ?? response.coders)
            }
        }
    }

    /// Calls `decode`, and converts its error to a mismatch that names the type.
    private static func decoding(_ name: String, _ decode: () throws -> Void) throws {
        do {
            try decode()
        } catch MoyaError.objectMapping(let error as DecodingError, _) {
            throw Mismatch("does not decode into \(name): \(DecodingPlace.describe(error)).")
        } catch {
            throw Mismatch("does not decode into \(name): \(error)")
        }
    }

    /// Returns ``response(of:)`` if the type of `target` declares its response, otherwise
    /// ``anything``.
    static func inferred(from target: any TargetType) -> CatalogExpectation {
        let target = RequestContext(target: target).target
        if let typed = target as? any ResponseTarget { return response(of: typed) }
        if let listed = target as? any ListedTarget { return response(ofListed: listed) }
        return .anything
    }

    private static func response<Target: ListedTarget>(
        ofListed target: Target
    ) -> CatalogExpectation {
        let name = CaseNames.name(of: target)
        return Target.listedCases.first { $0.name == name }.map(Self.init) ?? .anything
    }

    /// Expects the response type of a case that its target type lists.
    init<Target>(_ listed: ListedCase<Target>) {
        self.init(listed.response, wantsBody: listed.hasBody) { response in
            try Self.decoding(listed.response) { try listed.check(response) }
        }
    }

    private static func wantsBody<Value>(_ type: Value.Type) -> Bool? {
        // An optional, and `Response` itself, accept a body as well as no body.
        if type is any ExpressibleByNilLiteral.Type || type == Response.self { return nil }
        return type != Void.self
    }

    /// Expects a body that `check` accepts.
    ///
    /// - Parameters:
    ///   - description: The expectation in a few words, for reports.
    ///   - check: Throws an error that describes the mismatch.
    public static func satisfying(
        _ description: String, _ check: @escaping @Sendable (Response) throws -> Void
    ) -> CatalogExpectation {
        CatalogExpectation(description, wantsBody: nil) { response in
            do {
                try check(response)
            } catch {
                throw Mismatch("is not as expected (\(description)): \(error)")
            }
        }
    }

    /// Returns the mismatch as the rest of a sentence whose subject is the body, or `nil`.
    func mismatch(in response: Response) -> String? {
        do {
            try check(response)
            return nil
        } catch {
            return "\(error)"
        }
    }

    private struct Mismatch: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}
