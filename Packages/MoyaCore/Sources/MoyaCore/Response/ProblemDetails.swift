/// Why an API has refused a request, in the form of RFC 9457.
///
/// A member whose value has the wrong type is left out, as section 3.1 has it. A type of your own takes the extension
/// members: `error.failure(as: OutOfCredit.self)`.
public struct ProblemDetails: Codable, Sendable, Hashable {
    static let mediaType = MediaType("application/problem+json")

    /// A URI reference that names the kind of problem. `about:blank` means that the status says it all.
    public var type: String
    /// The kind of problem, in a few words that stay the same.
    public var title: String?
    /// The status code, as the server that had the problem sent it.
    public var status: Int?
    /// What went wrong this time, for people.
    public var detail: String?
    /// A URI reference that names this occurrence.
    public var instance: String?

    /// For servers and samples of tests.
    public init(
        type: String = "about:blank", title: String? = nil, status: Int? = nil,
        detail: String? = nil, instance: String? = nil
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.instance = instance
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) -> String? { try? members.decode(String.self, forKey: key) }
        self.init(
            type: text(.type) ?? "about:blank", title: text(.title),
            status: try? members.decode(Int.self, forKey: .status),
            detail: text(.detail), instance: text(.instance))
    }
}
