import Foundation

extension RequestTask {
    /// Creates a task from its parts: ``custom(_:)``.
    public init(
        body: Body = .none, query: Query = .none, delivery: any ResponseDelivery = MemoryDelivery()
    ) {
        self = .custom(Components(body: body, query: query, delivery: delivery))
    }

    /// The request body. Setting it makes the task ``custom(_:)``, as for the other parts.
    public var body: Body {
        get {
            switch self {
            case .requestPlain, .downloadDestination: .none
            case .requestData(let data), .requestCompositeData(let data, _): .data(data)
            case .requestJSONEncodable(let value):
                .encodable(value, encoder: ProvidersEncoder(isJSON: true))
            case .requestCustomJSONEncodable(let value, let encoder):
                .encodable(value, encoder: encoder)
            case .requestParameters(let parameters, let encoding),
                .requestCompositeParameters(let parameters, let encoding, _),
                .downloadParameters(let parameters, let encoding, _):
                .parameters(parameters, encoding: encoding)
            case .uploadFile(let upload), .uploadMultipart(let upload),
                .uploadMultipartFormData(let upload), .uploadCompositeMultipart(let upload, _),
                .uploadCompositeMultipartFormData(let upload, _):
                .upload(upload)
            case .custom(let components): components.body
            }
        }
        set { change { $0.body = newValue } }
    }

    /// The content appended to the URL's query.
    public var query: Query {
        get {
            switch self {
            case .requestCompositeData(_, let parameters),
                .requestCompositeParameters(_, _, let parameters),
                .uploadCompositeMultipart(_, let parameters),
                .uploadCompositeMultipartFormData(_, let parameters):
                .parameters(parameters, encoding: .queryString)
            case .custom(let components): components.query
            default: .none
            }
        }
        set { change { $0.query = newValue } }
    }

    /// The destination of the response's body, and the conversion to the caller's response.
    public var delivery: any ResponseDelivery {
        get {
            switch self {
            case .downloadDestination(let delivery), .downloadParameters(_, _, let delivery):
                delivery
            case .custom(let components): components.delivery
            default: MemoryDelivery()
            }
        }
        set { change { $0.delivery = newValue } }
    }

    /// The redirect policy. Follows redirects by default.
    public var redirectPolicy: RedirectPolicy {
        get {
            if case .custom(let components) = self { components.redirectPolicy } else { .follow() }
        }
        set { change { $0.redirectPolicy = newValue } }
    }

    /// Whether the parameters of the body must be encoded to the body.
    var isComposite: Bool {
        switch self {
        case .requestCompositeParameters: true
        case .custom(let components): components.isComposite
        default: false
        }
    }

    /// Whether the body is an upload, whose progress is reported.
    var isUpload: Bool { if case .upload = body { true } else { false } }

    private mutating func change(_ change: (inout Components) -> Void) {
        var components = Components(
            body: body, query: query, delivery: delivery, redirectPolicy: redirectPolicy,
            isComposite: isComposite)
        change(&components)
        self = .custom(components)
    }

    /// Returns the task with another redirect policy.
    ///
    /// ```swift
    /// var task: Task { .requestPlain.redirecting(.refuse) }
    /// ```
    ///
    /// To set the policy for all targets of a provider, use its `endpointClosure`:
    /// `endpoint.replacing(task: endpoint.task.redirecting(.refuse))`. A request with a policy
    /// other than the default never shares the response of an equal request in flight.
    public func redirecting(_ policy: RedirectPolicy) -> RequestTask {
        var task = self
        task.redirectPolicy = policy
        return task
    }
}
