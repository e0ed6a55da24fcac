extension [TransportConformance.Case] {
    /// Returns these cases without the cases that a transport is known to fail.
    ///
    /// ```swift
    /// TransportConformance.cases.excluding([
    ///     "gzip and deflate bodies are decoded": "The transport does not support compression."
    /// ])
    /// ```
    ///
    /// - Parameter reasons: Names of the excluded cases, each with the reason why the transport
    ///   fails it. An unknown name becomes a case that fails.
    public func excluding(_ reasons: [String: String]) -> Self {
        filter { reasons[$0.name] == nil }
            + unknown(reasons, map(\.name)).map { name in
                Element("the excluded case “\(name)” exists") { _ in throw missing(name) }
            }
    }
}

#if MockServer
    extension [TransportConformance.SecureCase] {
        /// Returns these cases without the cases that a transport is known to fail.
        ///
        /// - Parameter reasons: Names of the excluded cases, each with the reason why the transport
        ///   fails it. An unknown name becomes a case that fails.
        public func excluding(_ reasons: [String: String]) -> Self {
            filter { reasons[$0.name] == nil }
                + unknown(reasons, map(\.name)).map { name in
                    Element("the excluded case “\(name)” exists") { _, _ in throw missing(name) }
                }
        }
    }
#endif

private func unknown(_ reasons: [String: String], _ names: [String]) -> [String] {
    Set(reasons.keys).subtracting(names).sorted()
}

private func missing(_ name: String) -> TransportConformance.Failure {
    TransportConformance.Failure("the excluded case “\(name)” to exist", "no case of that name")
}
