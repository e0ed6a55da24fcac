#if XML
    import Foundation
    import MoyaCore
    import XMLCoder

    /// Decodes XML bodies (RFC 7303) with XMLCoder.
    ///
    /// ```swift
    /// let decoder = XMLBodyDecoder { $0.dateDecodingStrategy = .iso8601 }
    /// ```
    ///
    /// Repeated elements decode as an array. A property matches an element, or an attribute if its
    /// type conforms to XMLCoder's `DynamicNodeDecoding`.
    public struct XMLBodyDecoder: BodyDecoder {
        private let configure: @Sendable (XMLDecoder) -> Void

        /// Creates a decoder.
        ///
        /// - Parameter configure: Sets the strategies of the `XMLDecoder`. Called for each body,
        ///   on any thread, because an `XMLDecoder` must not be shared between threads.
        public init(configure: @escaping @Sendable (XMLDecoder) -> Void = { _ in }) {
            self.configure = configure
        }

        /// Decodes a value from the root element of a document.
        ///
        /// - Throws: `DecodingError`, also for elements nested deeper than 256 levels. The parser's
        ///   error for data that is not XML.
        public func decode<Value: Decodable>(
            _ type: Value.Type, from data: Data
        ) throws -> Value {
            try DocumentCheck.check(data)
            let decoder = XMLDecoder()
            configure(decoder)
            return try decoder.decode(type, from: data)
        }
    }

    extension Coders {
        /// Returns the coders with an XML decoder and encoder for `application/xml`, `text/xml` and
        /// media types with the suffix `+xml`.
        ///
        /// For an API whose bodies are all XML, make the coders with
        /// `Coders(decoder: XMLBodyDecoder(), encoder: XMLBodyEncoder())`.
        public func addingXML(
            decoder: XMLBodyDecoder = XMLBodyDecoder(), encoder: XMLBodyEncoder = XMLBodyEncoder()
        ) -> Coders {
            adding("application/xml", decoder: decoder, encoder: encoder)
                .adding("text/xml", decoder: decoder, encoder: encoder)
        }
    }
#else
    import MoyaCore

    /// Stand-in for the decoder without the trait `XML`. Using it is a compile error that names the
    /// trait.
    @available(
        *, unavailable, message: "Turn on the trait XML: .package(url: …, traits: [\"XML\"])"
    )
    public struct XMLBodyDecoder {
        public init() {}
    }

    extension Coders {
        /// Adds XML coders. Requires the trait `XML`.
        @available(
            *, unavailable, message: "Turn on the trait XML: .package(url: …, traits: [\"XML\"])"
        )
        public func addingXML() -> Coders { self }
    }
#endif
