import Foundation
import MoyaInternals

/// Placeholder for the encoder that the coders of a request select. Encodes JSON without a
/// provider.
struct ProvidersEncoder: BodyEncoder {
    /// Whether the body must be JSON, whatever `Content-Type` the target sets.
    var isJSON = false

    var contentType: String { JSONEncoder.sortingKeys.contentType }

    func encode<Value: Encodable>(_ value: Value) throws -> Data {
        try JSONEncoder.sortingKeys.encode(value)
    }
}

/// An upload that contains the body of another task, such as a compressed body.
@_spi(MoyaInternals)
public protocol WrappedBodyUpload: UploadBody {
    /// Returns the upload with the body of the other task `encoded(by:contentType:)`.
    func encoded(by coders: Coders, contentType: String?) -> Self
}

extension RequestTask.Body {
    /// Returns the body with its placeholder encoder replaced by the encoder that `coders` select.
    ///
    /// - Parameter contentType: The `Content-Type` that the target sets.
    @_spi(MoyaInternals)
    public func encoded(by coders: Coders, contentType: String?) -> RequestTask.Body {
        switch self {
        case .encodable(let value, let placeholder as ProvidersEncoder):
            let encoder =
                placeholder.isJSON
                ? coders.jsonEncoder(for: contentType) : coders.encoder(for: contentType)
            return .encodable(value, encoder: (encoder as? JSONEncoder)?.sortingKeys ?? encoder)
        case .upload(let upload as any WrappedBodyUpload):
            return .upload(upload.encoded(by: coders, contentType: contentType))
        case .none, .data, .encodable, .parameters, .upload: return self
        }
    }

    /// Whether `encoded(by:contentType:)` may change the body.
    fileprivate var dependsOnCoders: Bool {
        switch self {
        case .encodable(_, let encoder): encoder is ProvidersEncoder
        case .upload(let upload): upload is any WrappedBodyUpload
        case .none, .data, .parameters: false
        }
    }
}

extension Endpoint {
    /// Returns the endpoint with its body encoded by `coders`.
    func encoded(by coders: @autoclosure () -> Coders) -> Endpoint {
        guard task.body.dependsOnCoders else { return self }
        let fields = httpHeaderFields.map { FieldNames.unique($0) ?? $0 }
        let contentType = fields?.first { $0.key.lowercased() == "content-type" }?.value
        var task = task
        task.body = task.body.encoded(by: coders(), contentType: contentType)
        return replacing(task: task)
    }
}
