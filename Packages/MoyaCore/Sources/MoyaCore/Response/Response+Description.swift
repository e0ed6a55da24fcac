import Foundation

extension Response: CustomReflectable {
    /// What a dump shows. The body is its size, secrets are masked.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "statusCode": statusCode, "data": "\(data.count) bytes",
                "request": request?.maskedDescription as Any, "head": head as Any,
                "fileURL": fileURL as Any, "metrics": metrics as Any, "trailers": trailers,
            ], displayStyle: .class)
    }
}
