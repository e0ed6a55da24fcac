import Foundation
import MoyaCore

/// Header fields by name, one for each: what a session adds to its requests. The name is Alamofire's.
///
/// The fields of a message are a list of `HeaderField`: a name may occur more than once.
public struct HTTPHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    private var fields: [String: HeaderField] = [:]

    /// `Accept-Language` and `User-Agent`, and on Apple platforms `Accept-Encoding`: see
    /// ``FoundationTransport/defaultHeaders``.
    public static var `default`: HTTPHeaders { HTTPHeaders(FoundationTransport.defaultHeaders) }

    /// Of names that differ in case alone, one stays: that which is the last in the order of their characters.
    public init(_ dictionary: [String: String] = [:]) {
        // In one order, whatever the dictionary's: of two names that differ in case, the same one stays.
        for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) { self[name] = value }
    }

    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// The value of the field `name`.
    public subscript(_ name: String) -> String? {
        get { fields[name.lowercased()]?.value }
        set { fields[name.lowercased()] = newValue.map { HeaderField(name: name, value: $0) } }
    }

    /// Sets the field `name`, in place of one that is there.
    public mutating func add(name: String, value: String) {
        self[name] = value
    }

    /// Sets the field `name`, in place of one that is there.
    public mutating func update(name: String, value: String) {
        self[name] = value
    }

    /// Removes the field `name`.
    public mutating func remove(name: String) {
        self[name] = nil
    }

    /// The fields as URLSession takes them.
    public var dictionary: [String: String] {
        Dictionary(
            fields.values.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.fields.mapValues(\.value) == right.fields.mapValues(\.value)
    }
}

extension URLSessionConfiguration {
    /// `httpAdditionalHeaders`, by Alamofire's name. What is no text in there is left out.
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
