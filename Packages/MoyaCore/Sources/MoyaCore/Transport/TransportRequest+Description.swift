import Foundation

extension TransportRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    /// Method, URL, header fields and the size of the body. Secrets are masked.
    public var description: String {
        var text = urlRequest.maskedDescription
        if case .none = body {} else { text += ", body of \(body)" }
        if credential != nil { text += ", credential: \(Redaction.mask)" }
        return text
    }

    public var debugDescription: String { description }

    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "urlRequest": urlRequest.maskedDescription, "body": body,
                "destination": destination,
                "credential": credential.map { _ in Redaction.mask } as Any,
            ], displayStyle: .struct)
    }
}
