extension Endpoint {
    /// The same endpoint, where ``RequestTask/requestEncodable(_:)`` has left the encoder open with that of the target's
    /// own coders or else of `coders`.
    func encoding(with coders: Coders, for target: some TargetType) -> Endpoint {
        guard case .encodable(let value, let encoder) = task.body, encoder is ProvidersEncoder
        else {
            return self
        }
        let inner: any TargetType = (target as? MultiTarget)?.target ?? target
        let chosen = (inner as? any ResponseTarget)?.coders ?? coders
        let contentType = httpHeaderFields?.first { $0.key.lowercased() == "content-type" }?.value
        var task = task
        task.body = .encodable(value, encoder: chosen.encoder(for: contentType))
        return replacing(task: task)
    }
}
