extension String {
    /// Returns the HTML of a report up to its body. The content security policy forbids scripts and
    /// loading resources.
    ///
    /// - Parameters:
    ///   - title: Title as HTML.
    ///   - style: Style sheet, added to the style of every report.
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
        \(baseStyle)
        \(style)
        </style>
        </head>
        """
    }

    /// Colors and fonts of every report.
    private static let baseStyle = """
        :root {
          --paper: #fbfaf8; --card: #fff; --ink: #1c1b1a; --soft: #5f5b57; --line: #e3dfda;
          --good: #14713a; --bad: #b3201d; --badge: #f1eeea;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #171716; --card: #1f1f1d; --ink: #ecebe8; --soft: #a9a59f; --line: #383633;
            --good: #6fce92; --bad: #ff8a80; --badge: #2b2a28;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0 auto; max-width: 76rem; padding: 2.5rem 1.25rem 4rem;
          background: var(--paper); color: var(--ink);
          font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
        }
        """

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
