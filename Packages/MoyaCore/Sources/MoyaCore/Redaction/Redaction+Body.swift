import Foundation

extension Redaction {
    /// Returns `body` with secrets masked: in forms, including multipart forms, JSON, XML, YAML,
    /// server-sent events that contain these formats, and other text, complete or truncated. All
    /// other bytes are unchanged.
    ///
    /// In JSON, values keep their types: secret strings become ``mask``, secret numbers become 0,
    /// and `true`, `false`, `null`, objects and arrays are kept. A `code` or `key` that is a number
    /// is not secret, unless ``queryNames`` contains its name.
    public func redact(body: Data) -> Data { redact(body: body, upTo: .max) }

    /// Returns the first `count` bytes of `body` with secrets masked. A secret that begins in them
    /// is masked as a whole. The time depends on `count`, not on the size of `body`. See
    /// ``redact(body:)``.
    public func redact(body: Data, upTo count: Int) -> Data {
        // A format may be recognizable only by the bytes that follow.
        let (read, isLong) = max(0, count).addingReportingOverflow(4096)
        let beginning = isLong ? body : body.prefix(read)
        return redact(Array(beginning), upTo: max(0, count)) { $0.body($0.range, 0) }
            .map { Data($0) } ?? body.prefix(max(0, count))
    }

    /// Returns `text` with secrets masked. JSON, XML and forms are recognized by their beginning.
    public func redact(text: String) -> String {
        redact(Array(text.utf8)) { $0.value($0.range, 0) }
            .map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// Returns `url` as text with secrets masked: user name and password, parameters of path, query
    /// and fragment, and tokens in any component.
    public func redact(url: URL) -> String { redact(url: url.absoluteString) }

    /// Returns the text of a URL, valid or invalid, with secrets masked.
    public func redact(url text: String) -> String {
        redact(Array(text.utf8)) { $0.address($0.range, 0) }
            .map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// Returns `nil` if `scan` finds no secret.
    private func redact(
        _ bytes: [UInt8], upTo limit: Int = .max, _ scan: (inout MessageScan<[UInt8]>) -> Void
    ) -> [UInt8]? {
        guard masksText else { return nil }
        var message = MessageScan(bytes, self)
        scan(&message)
        return message.editCount == 0 ? nil : message.masked(upTo: limit)
    }
}
