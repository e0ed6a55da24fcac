// A case is its name, which an exit test hands to its process.

extension TransportConformance.Case: Codable {
    /// The case of the encoded name, of `cases` and `loadCases`.
    ///
    /// - Throws: `DecodingError` if there is none.
    public init(from decoder: any Decoder) throws {
        self = try decoded(
            from: decoder, among: TransportConformance.cases + TransportConformance.loadCases,
            name: \.name)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}

#if MockServer
    extension TransportConformance.SecureCase: Codable {
        /// The case of the encoded name, of `secureCases`.
        ///
        /// - Throws: `DecodingError` if there is none.
        public init(from decoder: any Decoder) throws {
            self = try decoded(
                from: decoder, among: TransportConformance.secureCases, name: \.name)
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(name)
        }
    }
#endif

private func decoded<Case>(
    from decoder: any Decoder, among cases: [Case], name: (Case) -> String
) throws -> Case {
    let container = try decoder.singleValueContainer()
    let wanted = try container.decode(String.self)
    guard let found = cases.first(where: { name($0) == wanted }) else {
        throw DecodingError.dataCorruptedError(
            in: container, debugDescription: "There is no conformance case “\(wanted)”.")
    }
    return found
}
