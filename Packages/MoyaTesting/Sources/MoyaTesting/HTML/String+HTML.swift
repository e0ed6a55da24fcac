extension String {
    /// Returns the HTML of a report up to its body. The content security policy forbids scripts and
    /// loading resources.
    ///
    /// - Parameters:
    ///   - title: Title as HTML.
    ///   - style: Style sheet.
    static func reportHead(title: String, style: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <title>\(title)</title>
        <style>
        \(style)
        </style>
        </head>
        """
    }

    /// The text escaped for HTML text and attributes. Control characters, which HTML does not
    /// allow, become U+FFFD.
    var escaped: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case _ where scalar.properties.generalCategory == .control: result += "\u{FFFD}"
            // Bidirectional overrides could make a text look like another text.
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
