import Foundation

extension RequestTask {
    /// A request without a body.
    public static let requestPlain = RequestTask()

    /// A request with `data` as its body.
    public static func requestData(_ data: Data) -> RequestTask {
        RequestTask(body: .data(data))
    }

    /// A request with `encodable` as its JSON body, keys sorted.
    ///
    /// Sets `Content-Type: application/json` unless the target has one.
    @preconcurrency
    public static func requestJSONEncodable(_ encodable: any Encodable & Sendable) -> RequestTask {
        RequestTask(body: .encodable(encodable, encoder: JSONEncoder.sortingKeys))
    }

    /// A request with `encodable` as its JSON body, made by `encoder`. Its keys are sorted, unless `encoder` is of a subclass,
    /// so that equal values give equal bytes.
    ///
    /// Sets `Content-Type: application/json` unless the target has one.
    @preconcurrency
    public static func requestCustomJSONEncodable(
        _ encodable: any Encodable & Sendable, encoder: JSONEncoder
    ) -> RequestTask {
        RequestTask(body: .encodable(encodable, encoder: encoder))
    }

    /// A request with `encodable` as its body, made by the encoder that the target or the provider has for the target's
    /// `Content-Type`: see ``Coders``. JSON unless you say otherwise.
    ///
    /// Sets the encoder's `Content-Type` unless the target has one.
    public static func requestEncodable(_ encodable: any Encodable & Sendable) -> RequestTask {
        RequestTask(body: .encodable(encodable, encoder: ProvidersEncoder()))
    }

    /// A request with parameters, in the body or the query as `encoding` says.
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

    /// A request with parameters in the body and others in the query.
    ///
    /// `bodyEncoding` must place its parameters in the body: ``URLEncoding/httpBody`` or
    /// ``JSONEncoding``, for example. Another one fails with ``MoyaError/parameterEncoding(_:)``.
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

    /// A request with `encodable`, field by field, in its query.
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

    /// The same task with `encodable`, field by field, at the end of its query.
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

/// Marks a body that the provider's coders encode. Without a provider it is JSON.
struct ProvidersEncoder: BodyEncoder {
    var contentType: String { JSONEncoder.sortingKeys.contentType }

    func encode<Value: Encodable>(_ value: Value) throws -> Data {
        try JSONEncoder.sortingKeys.encode(value)
    }
}
