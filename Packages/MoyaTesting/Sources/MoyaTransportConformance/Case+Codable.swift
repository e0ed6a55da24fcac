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
        try name.encode(to: encoder)
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
            try name.encode(to: encoder)
        }
    }
#endif

private func decoded<Case>(
    from decoder: any Decoder, among cases: [Case], name: (Case) -> String
) throws -> Case {
    let wanted = try String(from: decoder)
    if let found = cases.first(where: { name($0) == wanted }) { return found }
    throw DecodingError.dataCorrupted(
        .init(
            codingPath: decoder.codingPath,
            debugDescription: "There is no conformance case “\(wanted)”."))
}
