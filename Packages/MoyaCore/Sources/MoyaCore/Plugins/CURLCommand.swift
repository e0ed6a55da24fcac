import Foundation
import MoyaInternals

extension URLRequest {
    /// Returns this request as a `curl` command for a POSIX shell.
    ///
    /// The command sends the method, the header fields and the body of this request. Only `Accept`
    /// and `User-Agent` come from curl if this request has none, as they come from a transport.
    /// Header fields are sorted by name. Secrets are masked. A body that is not text is piped to
    /// curl by `printf`; above 64 KiB it is replaced by a comment with its size.
    ///
    /// - Parameter redaction: The secrets to mask. ``Redaction/none`` returns a command that works
    ///   as it is, but contains secrets.
    public func cURLDescription(redaction: Redaction = .default) -> String {
        let address = url.map(redaction.redact(url:)) ?? ""
        let body = ShellBody(httpBody ?? Data(), redaction)
        // With `-X HEAD`, curl would wait for a body. With `--head`, it sends none.
        let isHead = httpMethod == "HEAD" && body == nil
        // The URL comes first: after the body's comment, the shell would ignore it.
        var lines = [
            "\(body?.pipe ?? "")curl -v", Self.urlOptions(for: address) + Shell.quote(address),
            isHead ? "--head" : "-X \(Shell.quote(httpMethod ?? "GET"))",
        ]
        let fields = HeaderField.sorted(allHTTPHeaderFields)
        for (name, value) in fields.map({ ($0.name, $0.value) }) {
            let shown = redaction.redact(value, ofHeader: name)
            // In curl, `name:` without a value removes the field, and `name;` sends it empty.
            let isEmpty = shown.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            lines.append("-H \(Shell.quote(isEmpty ? "\(name);" : "\(name): \(shown)"))")
        }
        if let body {
            let names = Set(fields.map { $0.name.lowercased() })
            // curl adds these fields to a body; old versions add `Expect` from 1 KiB on.
            let added = ["Content-Type"] + (body.count > 1024 ? ["Expect"] : [])
            for name in added where !names.contains(name.lowercased()) {
                lines.append("-H '\(name):'")
            }
            lines.append(body.option)
        }
        return lines.joined(separator: " \\\n\t")
    }

    /// Options that prevent curl from changing the URL.
    private static func urlOptions(for address: String) -> String {
        let isPattern = address.utf8.contains { "[]{}".utf8.contains($0) }
        let hasDots = PercentEncoding.dotSegment(in: address) != nil
        return (isPattern ? "--globoff " : "") + (hasDots ? "--path-as-is " : "")
    }
}

/// The arguments of a `curl` command that send a body.
private struct ShellBody {
    /// Command that writes the body to curl's standard input. Empty if ``option`` has the body.
    private(set) var pipe = ""
    let option: String
    /// Size of the body, in bytes.
    let count: Int

    /// Linux limits an argument of a program to 128 KiB. `printf` is part of the shell.
    private static let argumentLimit = 100_000
    private static let binaryLimit = 64 << 10

    /// Returns `nil` for an empty body.
    init?(_ body: Data, _ redaction: Redaction) {
        guard !body.isEmpty else { return nil }
        let shown = [UInt8](redaction.redact(body: body))
        count = shown.count
        // Unlike `String(data:encoding:)`, keeps a byte order mark.
        let text = String(decoding: shown, as: UTF8.self)
        // NUL is valid UTF-8, but cannot be part of a command's argument.
        let isText = text.utf8.elementsEqual(shown) && !shown.contains(0)
        switch (isText, shown.count) {
        case (true, ...Self.argumentLimit):
            option = "--data-raw \(Shell.quote(text))"
        case (true, _):
            pipe = "printf %s \(Shell.quote(text)) | "
            option = "--data-binary @-"
        case (false, ...Self.binaryLimit):
            pipe = "printf \(Shell.format(shown)) | "
            option = "--data-binary @-"
        case (false, _):
            option = "--data-binary @- # \(body.count) bytes that are not text"
        }
    }
}

/// Quoting for a POSIX shell. Works on bytes: a quote before a combining mark is part of another
/// `Character`, but the shell sees the quote.
private enum Shell {
    static func quote(_ text: String) -> String {
        var quoted = [UInt8(ascii: "'")]
        for byte in text.utf8 {
            if byte == UInt8(ascii: "'") {
                quoted += #"'\''"#.utf8
            } else {
                quoted.append(byte)
            }
        }
        return String(decoding: quoted + [UInt8(ascii: "'")], as: UTF8.self)
    }

    /// Returns the quoted format with which `printf` writes `bytes`.
    static func format(_ bytes: [UInt8]) -> String {
        let text = bytes.map { byte in
            switch Unicode.Scalar(byte) {
            case "%": "%%"
            case "\\": #"\\"#
            // A leading dash would begin an option.
            case " "..."~" where byte != UInt8(ascii: "-"): String(Unicode.Scalar(byte))
            default: "\\" + String(String(Int(byte) + 0o1000, radix: 8).dropFirst())
            }
        }
        return quote(text.joined())
    }
}
