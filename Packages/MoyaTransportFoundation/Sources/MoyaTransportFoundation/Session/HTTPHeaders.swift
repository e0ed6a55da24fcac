import Foundation
import MoyaCore

/// Dictionary of header fields that a session adds to its requests, by Alamofire's name.
///
/// Each name occurs once. The header of a message is a list of `HeaderField` instead, because a
/// name may occur more than once.
public struct HTTPHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    private var fields: [String: HeaderField] = [:]

    /// Default fields: `Accept-Language`, `User-Agent`, and `Accept-Encoding` on Apple platforms.
    /// See ``FoundationTransport/defaultHeaders``.
    public static var `default`: HTTPHeaders { HTTPHeaders(FoundationTransport.defaultHeaders) }

    /// Creates header fields from a dictionary. Of names that differ only in case, the last in
    /// lexicographic order is kept.
    public init(_ dictionary: [String: String] = [:]) {
        // Sorted, so that the result does not depend on the dictionary's order.
        for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) { self[name] = value }
    }

    /// Creates header fields from a literal. Of equal names, the last is kept.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// Value of the field `name`, compared case-insensitively. Setting `nil` removes the field.
    public subscript(_ name: String) -> String? {
        get { fields[name.lowercased()]?.value }
        set { fields[name.lowercased()] = newValue.map { HeaderField(name: name, value: $0) } }
    }

    /// Sets the field `name`, replacing an existing value.
    public mutating func add(name: String, value: String) {
        self[name] = value
    }

    /// Sets the field `name`, replacing an existing value. The same as ``add(name:value:)``.
    public mutating func update(name: String, value: String) {
        self[name] = value
    }

    /// Removes the field `name`.
    public mutating func remove(name: String) {
        self[name] = nil
    }

    /// Fields in the form of `httpAdditionalHeaders`.
    public var dictionary: [String: String] {
        Dictionary(
            fields.values.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether both have equal values for equal names, compared case-insensitively.
    public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.fields.mapValues(\.value) == right.fields.mapValues(\.value)
    }
}

extension URLSessionConfiguration {
    /// The string fields of `httpAdditionalHeaders`, by Alamofire's name.
    public var headers: HTTPHeaders {
        get {
            let pairs = (httpAdditionalHeaders ?? [:]).compactMap { name, value in
                (name as? String).flatMap { name in (value as? String).map { (name, $0) } }
            }
            return HTTPHeaders(Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
        }
        set { httpAdditionalHeaders = newValue.dictionary }
    }
}
