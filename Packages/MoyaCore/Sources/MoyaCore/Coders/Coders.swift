import Foundation

/// The decoders and encoders of an API's bodies, by content type.
///
/// ```swift
/// let coders = Coders(decoder: snakeCase, encoder: snakeCaseToo)
///     .adding("application/x-plist", decoder: PropertyListDecoder())
/// let provider = MoyaProvider<MultiTarget>(transport: transport, coders: coders)
/// ```
///
/// Every value is encoded and decoded by the coders of the call, otherwise by those of the target
/// (``ResponseTarget/coders``), otherwise by the provider's: bodies of requests and of responses,
/// lines, events, errors, samples and stubs. The `Content-Type` of a body selects the coder. JSON
/// within a body, such as a line or an event, has the decoder for `application/json`. The modules
/// MoyaXML, MoyaStreaming and MoyaTesting use the same coders.
public struct Coders: Sendable {
    private struct Formats: Sendable {
        var decoder: any BodyDecoder
        var encoder: any BodyEncoder
        var decoders: [MediaType: any BodyDecoder] = [:]
        var encoders: [MediaType: any BodyEncoder] = [:]
    }

    /// One word in size, because every response has coders.
    private var formats: Boxed<Formats>

    /// JSON coders: a `JSONDecoder`, and a `JSONEncoder` with sorted keys.
    public static let json = Coders()

    /// The coders that encode sample data: those of the provider whose stub is answered or whose
    /// targets are checked by a `TargetCatalog` (MoyaTesting), otherwise ``json``.
    ///
    /// ```swift
    /// var sampleData: Data { (try? Coders.ofSamples.encoder(for: nil).encode(sample)) ?? Data() }
    /// ```
    @TaskLocal public static var ofSamples: Coders = .json

    /// Creates coders for content types without a specific coder.
    ///
    /// - Parameter encoder: `nil` is a `JSONEncoder` with sorted keys.
    public init(
        decoder: any BodyDecoder = JSONDecoder(), encoder: (any BodyEncoder)? = nil
    ) {
        formats = Boxed(Formats(decoder: decoder, encoder: encoder ?? JSONEncoder.sortingKeys))
    }

    /// Returns the coders with a decoder and an encoder for a content type.
    ///
    /// - Parameter contentType: A media type such as `application/xml`. It matches that media type
    ///   exactly, so `text/xml` needs coders of its own; case and parameters are ignored. It also
    ///   matches media types with its suffix, such as `+xml` (RFC 6838, section 4.2.8).
    public func adding(
        _ contentType: String, decoder: any BodyDecoder, encoder: (any BodyEncoder)? = nil
    ) -> Coders {
        var coders = self
        let type = MediaType(contentType)
        coders.formats.own().value.decoders[type] = decoder
        if let encoder { coders.formats.own().value.encoders[type] = encoder }
        return coders
    }

    /// Returns the decoder for a `Content-Type`. `nil` is a response without a `Content-Type`.
    public func decoder(for contentType: String?) -> any BodyDecoder {
        let formats = formats.value
        return Self.find(contentType, in: formats.decoders) ?? formats.decoder
    }

    /// Returns the encoder for a `Content-Type`. `nil` is a target without a `Content-Type`.
    ///
    /// For JSON without a specific encoder, returns the default encoder only if that writes JSON,
    /// otherwise a `JSONEncoder` with sorted keys.
    public func encoder(for contentType: String?) -> any BodyEncoder {
        let formats = formats.value
        if let encoder = Self.find(contentType, in: formats.encoders) { return encoder }
        guard !(formats.encoder is JSONEncoder), let contentType, MediaType(contentType).isJSON,
            !MediaType(formats.encoder.contentType).isJSON
        else { return formats.encoder }
        return JSONEncoder.sortingKeys
    }

    /// Returns the encoder for a body that must be JSON, whatever `contentType` is.
    func jsonEncoder(for contentType: String?) -> any BodyEncoder {
        let isJSON = contentType.map { MediaType($0).isJSON } ?? false
        return encoder(for: isJSON ? contentType : "application/json")
    }

    /// Whether the content type selects the decoder.
    var hasSpecificDecoders: Bool { !formats.value.decoders.isEmpty }

    private static func find<Coder>(
        _ contentType: String?, in coders: [MediaType: Coder]
    ) -> Coder? {
        guard !coders.isEmpty, let type = contentType.map(MediaType.init) else { return nil }
        return coders[type] ?? type.suffixed.flatMap { coders[$0] }
    }
}

/// The type and subtype of a `Content-Type`, without its parameters (RFC 9110, section 8.3.1).
///
/// Of a field that was sent several times, the first: values are joined with a comma (section 5.3).
struct MediaType: Hashable {
    let name: String

    init(_ contentType: String) {
        let first = contentType.prefix { $0 != ";" && $0 != "," }
        name = first.trimmingCharacters(in: .whitespaces).lowercased()
    }

    /// The media type of a structured suffix: `application/json` for `application/problem+json`.
    var suffixed: MediaType? {
        guard let plus = name.lastIndex(of: "+") else { return nil }
        return MediaType("application/" + name[name.index(after: plus)...])
    }

    /// Whether a body of this media type is JSON.
    var isJSON: Bool { name == "application/json" || suffixed?.name == "application/json" }
}
