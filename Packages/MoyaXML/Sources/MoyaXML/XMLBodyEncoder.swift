#if XML
    import Foundation
    import MoyaCore
    import XMLCoder

    /// Encodes XML bodies (RFC 7303) with XMLCoder. The root element has the name of the value's
    /// type.
    ///
    /// ```swift
    /// struct CreateBucketConfiguration: Encodable { var LocationConstraint: String }
    ///
    /// let encoder = XMLBodyEncoder(namespace: "http://s3.amazonaws.com/doc/2006-03-01/")
    /// ```
    public struct XMLBodyEncoder: BodyEncoder {
        /// `application/xml`, unless the encoder was created with another media type.
        public let contentType: String
        private let namespace: String?
        private let configure: @Sendable (XMLEncoder) -> Void

        /// Creates an encoder.
        ///
        /// - Parameters:
        ///   - contentType: The `Content-Type` of the bodies.
        ///   - namespace: The attribute `xmlns` of the root element. `nil` for none.
        ///   - configure: Sets the strategies of the `XMLEncoder`. Called for each body, on any
        ///     thread, because an `XMLEncoder` must not be shared between threads.
        public init(
            contentType: String = "application/xml", namespace: String? = nil,
            configure: @escaping @Sendable (XMLEncoder) -> Void = { _ in }
        ) {
            self.contentType = contentType
            self.namespace = namespace
            self.configure = configure
        }

        /// Encodes a value as a document in UTF-8.
        ///
        /// - Throws: `EncodingError` for a value without a root element: text, a number, an array,
        ///   an optional or a value of another generic type. Errors of the value's `encode(to:)`.
        public func encode<Value: Encodable>(_ value: Value) throws -> Data {
            // XMLCoder ends the process for a top-level value that is text, and writes the name of
            // a generic type as it is, which is not XML.
            guard "\(Value.self)".allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }),
                !RootProbe.isText(value)
            else {
                throw EncodingError.invalidValue(
                    value,
                    .init(
                        codingPath: [],
                        debugDescription: "A value of type \(Value.self) has no root element. "
                            + "Put it into a struct with the name of the element."))
            }
            let encoder = XMLEncoder()
            configure(encoder)
            return try encoder.encode(
                value, rootAttributes: namespace.map { ["xmlns": $0] },
                header: XMLHeader(version: 1, encoding: "UTF-8"))
        }
    }
#else
    /// Stand-in for the encoder without the trait `XML`. Using it is a compile error that names the
    /// trait.
    @available(
        *, unavailable, message: "Turn on the trait XML: .package(url: …, traits: [\"XML\"])"
    )
    public struct XMLBodyEncoder {
        public init() {}
    }
#endif
