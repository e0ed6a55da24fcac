import MoyaInternals

extension Endpoint {
    /// Returns the endpoint with the placeholder encoder of ``RequestTask/requestEncodable(_:)``
    /// replaced by an encoder of the target's coders, or of `coders` if the target has none.
    func encoding(with coders: Coders, for target: some TargetType) -> Endpoint {
        guard case .encodable(let value, let encoder) = task.body, encoder is ProvidersEncoder
        else {
            return self
        }
        let chosen = (MultiTarget.unwrap(target) as? any ResponseTarget)?.coders ?? coders
        let fields = httpHeaderFields.map { FieldNames.unique($0) ?? $0 }
        let contentType = fields?.first { $0.key.lowercased() == "content-type" }?.value
        var task = task
        task.body = .encodable(value, encoder: chosen.encoder(for: contentType))
        return replacing(task: task)
    }
}
