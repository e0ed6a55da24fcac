import Foundation

extension RequestTask {
    /// A request without a body.
    public static let requestPlain = RequestTask()

    /// A request with `data` as its body.
    public static func requestData(_ data: Data) -> RequestTask {
        RequestTask(body: .data(data))
    }

    /// A request with `encodable` as its JSON body, with sorted keys.
    ///
    /// Sets `Content-Type: application/json` unless the target sets it.
    @preconcurrency
    public static func requestJSONEncodable(_ encodable: any Encodable & Sendable) -> RequestTask {
        RequestTask(body: .encodable(encodable, encoder: JSONEncoder.sortingKeys))
    }

    /// A request with `encodable` as its JSON body, encoded by `encoder`. Keys are sorted, so that
    /// equal values produce equal bytes, unless `encoder` is an instance of a subclass.
    ///
    /// Sets `Content-Type: application/json` unless the target sets it.
    @preconcurrency
    public static func requestCustomJSONEncodable(
        _ encodable: any Encodable & Sendable, encoder: JSONEncoder
    ) -> RequestTask {
        RequestTask(body: .encodable(encodable, encoder: encoder))
    }

    /// A request with `encodable` as its body, encoded by the encoder that the target's or the
    /// provider's ``Coders`` select for the target's `Content-Type`. JSON by default.
    ///
    /// Sets the encoder's `Content-Type` unless the target sets it.
    public static func requestEncodable(_ encodable: any Encodable & Sendable) -> RequestTask {
        RequestTask(body: .encodable(encodable, encoder: ProvidersEncoder()))
    }

    /// A request with parameters in the body or the query, as `encoding` determines.
    @preconcurrency
    public static func requestParameters(
        parameters: Parameters, encoding: any ParameterEncoding
    ) -> RequestTask {
        RequestTask(body: .parameters(parameters, encoding: encoding))
    }

    /// A request with `bodyData` as its body and parameters in the query.
    @preconcurrency
    public static func requestCompositeData(
        bodyData: Data, urlParameters: Parameters
    ) -> RequestTask {
        RequestTask(
            body: .data(bodyData), query: .parameters(urlParameters, encoding: .queryString))
    }

    /// A request with parameters in the body and in the query.
    ///
    /// `bodyEncoding` must encode to the body, for example ``URLEncoding/httpBody`` or
    /// ``JSONEncoding``. Otherwise the request fails with ``MoyaError/parameterEncoding(_:)``.
    @preconcurrency
    public static func requestCompositeParameters(
        bodyParameters: Parameters, bodyEncoding: any ParameterEncoding, urlParameters: Parameters
    ) -> RequestTask {
        var task = RequestTask(
            body: .parameters(bodyParameters, encoding: bodyEncoding),
            query: .parameters(urlParameters, encoding: .queryString))
        task.isComposite = true
        return task
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

/// Placeholder for the encoder that the provider's coders select. Encodes JSON without a provider.
struct ProvidersEncoder: BodyEncoder {
    var contentType: String { JSONEncoder.sortingKeys.contentType }

    func encode<Value: Encodable>(_ value: Value) throws -> Data {
        try JSONEncoder.sortingKeys.encode(value)
    }
}
