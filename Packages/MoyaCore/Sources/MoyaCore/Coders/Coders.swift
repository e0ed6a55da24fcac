import Foundation

/// The decoders and encoders of an API, by content type.
///
/// ```swift
/// let coders = Coders(decoder: snakeCase, encoder: snakeCaseToo)
///     .adding("application/xml", decoder: XMLDecoder(), encoder: XMLEncoder())
/// let provider = MoyaProvider<MultiTarget>(transport: transport, coders: coders)
/// ```
///
/// A target may have coders of its own (``ResponseTarget/coders``), and a call may name a decoder.
public struct Coders: Sendable {
    private struct Formats: Sendable {
        var decoder: any BodyDecoder
        var encoder: any BodyEncoder
        var decoders: [MediaType: any BodyDecoder] = [:]
        var encoders: [MediaType: any BodyEncoder] = [:]
    }

    /// One word, since each response has it.
    private var formats: Boxed<Formats>

    /// JSON, by a `JSONDecoder` and a `JSONEncoder` with sorted keys.
    public static let json = Coders()

    /// Coders for every content type that has none of its own.
    ///
    /// - Parameter encoder: `nil` is a `JSONEncoder` with sorted keys.
    public init(
        decoder: any BodyDecoder = JSONDecoder(), encoder: (any BodyEncoder)? = nil
    ) {
        formats = Boxed(Formats(decoder: decoder, encoder: encoder ?? JSONEncoder.sortingKeys))
    }

    /// The same coders, with others for a content type.
    ///
    /// - Parameter contentType: A media type such as `application/xml`, which stands for media types with its suffix (`+xml`)
    ///   as well (RFC 6838, section 4.2.8). Its parameters are ignored.
    public func adding(
        _ contentType: String, decoder: any BodyDecoder, encoder: (any BodyEncoder)? = nil
    ) -> Coders {
        var coders = self
        let type = MediaType(contentType)
        coders.formats.own().value.decoders[type] = decoder
        if let encoder { coders.formats.own().value.encoders[type] = encoder }
        return coders
    }

    /// The decoder for a body of this `Content-Type`. `nil` is a response that names none.
    public func decoder(for contentType: String?) -> any BodyDecoder {
        let formats = formats.value
        return Self.find(contentType, in: formats.decoders) ?? formats.decoder
    }

    /// The encoder for a body of this `Content-Type`. `nil` is a target that names none.
    public func encoder(for contentType: String?) -> any BodyEncoder {
        let formats = formats.value
        return Self.find(contentType, in: formats.encoders) ?? formats.encoder
    }

    private static func find<Coder>(
        _ contentType: String?, in coders: [MediaType: Coder]
    ) -> Coder? {
        guard !coders.isEmpty, let type = contentType.map(MediaType.init) else { return nil }
        return coders[type] ?? type.suffixed.flatMap { coders[$0] }
    }
}

/// The type and subtype of a `Content-Type`, without its parameters (RFC 9110, section 8.3.1).
struct MediaType: Hashable {
    let name: String

    init(_ contentType: String) {
        name = contentType.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    }

    /// The type that a structured suffix names: `application/json` of `application/problem+json`.
    var suffixed: MediaType? {
        guard let plus = name.lastIndex(of: "+") else { return nil }
        return MediaType("application/" + name[name.index(after: plus)...])
    }

    /// Whether a body of this type is JSON.
    var isJSON: Bool { name == "application/json" || suffixed?.name == "application/json" }
}
