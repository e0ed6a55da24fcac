import Foundation

extension RequestTask {
    /// A request with `encodable` as its body, encoded by the encoder that the target's or the
    /// provider's ``Coders`` select for the target's `Content-Type`. JSON by default.
    ///
    /// Sets the encoder's `Content-Type` unless the target sets it.
    public static func requestEncodable(_ encodable: any Encodable & Sendable) -> RequestTask {
        RequestTask(body: .encodable(encodable, encoder: ProvidersEncoder()))
    }

    /// A request with the fields of `encodable` in its query.
    ///
    /// ```swift
    /// struct Search: Encodable { var q: String; var page: Int }
    /// let task = RequestTask.requestQuery(Search(q: "moya", page: 2))  // ?q=moya&page=2
    /// ```
    public static func requestQuery(
        _ encodable: any Encodable & Sendable, encoder: URLQueryEncoder = URLQueryEncoder()
    ) -> RequestTask {
        RequestTask(query: .encodable(encodable, encoder: encoder))
    }

    /// Returns the task with the fields of `encodable` appended to its query.
    public func addingQuery(
        _ encodable: any Encodable & Sendable, encoder: URLQueryEncoder = URLQueryEncoder()
    ) -> RequestTask {
        let added = Query.encodable(encodable, encoder: encoder)
        var task = self
        switch query {
        case .none: task.query = added
        case .several(let present): task.query = .several(present + [added])
        case .parameters, .encodable: task.query = .several([query, added])
        }
        return task
    }
}
