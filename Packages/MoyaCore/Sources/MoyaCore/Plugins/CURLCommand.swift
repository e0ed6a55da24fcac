import Foundation

extension URLRequest {
    /// Returns this request as a `curl` command for a POSIX shell.
    ///
    /// Header fields are sorted by name. Secret fields of a form or of JSON are masked. A body that
    /// is not text is replaced by a comment with its size.
    ///
    /// - Parameter redaction: The secrets to mask. ``Redaction/none`` returns a command that works
    ///   as it is, but contains secrets.
    public func cURLDescription(redaction: Redaction = .default) -> String {
        // With `-X HEAD`, curl would wait for a body.
        let method =
            httpMethod == "HEAD" ? "--head" : "-X \(Self.quote(httpMethod ?? "GET"))"
        var lines = ["curl -v", method]
        for header in HeaderField.sorted(allHTTPHeaderFields) {
            let (name, value) = (header.name, header.value)
            // In curl, `name:` without a value removes the field, and `name;` sends it empty.
            let field =
                value.isEmpty ? "\(name);" : "\(name): \(redaction.redact(value, ofHeader: name))"
            lines.append("-H \(Self.quote(field))")
        }
        if let body = httpBody, !body.isEmpty {
            // NUL is valid UTF-8, but cannot be part of a command's argument.
            if let text = String(data: redaction.redact(body: body), encoding: .utf8),
                !text.utf8.contains(0)
            {
                lines.append("--data-raw \(Self.quote(text))")
            } else {
                lines.append("--data-binary @- # \(body.count) bytes that are not text")
            }
        }
        // The URL comes first: after the body's comment, the shell would ignore it.
        lines.insert(Self.quote(url.map(redaction.redact(url:)) ?? ""), at: 1)
        return lines.joined(separator: " \\\n\t")
    }

    private static func quote(_ text: String) -> String {
        "'" + text.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
    }
}
