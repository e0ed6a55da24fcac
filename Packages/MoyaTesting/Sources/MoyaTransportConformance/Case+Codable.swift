// A case is encoded as its name. An exit test passes the case to its process this way.

extension TransportConformance.Case: Codable {
    /// Decodes the name of a case of `cases` or `loadCases`.
    ///
    /// - Throws: `DecodingError` if no case has this name.
    public init(from decoder: any Decoder) throws {
        self = try decoded(
            from: decoder, among: TransportConformance.cases + TransportConformance.loadCases,
            name: \.name)
    }

    /// Encodes the name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}

#if MockServer
    extension TransportConformance.SecureCase: Codable {
        /// Decodes the name of a case of `secureCases`.
        ///
        /// - Throws: `DecodingError` if no case has this name.
        public init(from decoder: any Decoder) throws {
            self = try decoded(
                from: decoder, among: TransportConformance.secureCases, name: \.name)
        }

        /// Encodes the name.
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
