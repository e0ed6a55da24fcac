import Foundation

extension Response: CustomReflectable {
    /// Shows the size of the body instead of its content. Secrets are masked.
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
