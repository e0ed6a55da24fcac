import Foundation
import MoyaCore

extension NetworkLoggerPlugin {
    /// Content and destination of the log.
    public struct Configuration: Sendable {
        /// Writes the entries of one request or response.
        public typealias OutputType =
            @Sendable (_ target: any TargetType, _ items: [String]) -> Void

        /// Formats entries and bodies.
        public var formatter: Formatter
        /// Writes the entries. By default prints them.
        public var output: OutputType
        /// Parts of requests and responses that are logged.
        public var logOptions: LogOptions
        /// Masks secrets in the log. `Redaction.none` logs secrets.
        public var redaction: Redaction

        /// Creates a configuration. By default it prints method and header fields of requests, with
        /// common secrets masked.
        @preconcurrency
        public init(
            formatter: Formatter = Formatter(),
            output: @escaping OutputType = defaultOutput,
            logOptions: LogOptions = .default,
            redaction: Redaction = .default
        ) {
            self.formatter = formatter
            self.output = output
            self.logOptions = logOptions
            self.redaction = redaction
        }

        /// Prints each entry on a separate line.
        public static func defaultOutput(target: any TargetType, items: [String]) {
            for item in items { print(item) }
        }
    }
}

extension NetworkLoggerPlugin.Configuration {
    /// Parts of requests and responses that are logged.
    public struct LogOptions: OptionSet, Sendable {
        /// The bits of the options.
        public let rawValue: Int

        /// Creates options from their bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The request's method.
        public static let requestMethod = LogOptions(rawValue: 1 << 0)
        /// The request's body.
        public static let requestBody = LogOptions(rawValue: 1 << 1)
        /// The request's header fields.
        public static let requestHeaders = LogOptions(rawValue: 1 << 2)
        /// The request as a `curl` command, instead of separate parts. The command has the method,
        /// the header fields and the body regardless of other options.
        public static let formatRequestAscURL = LogOptions(rawValue: 1 << 3)
        /// The body of a successful response.
        public static let successResponseBody = LogOptions(rawValue: 1 << 4)
        /// The body of a response that the target's validation rejects.
        public static let errorResponseBody = LogOptions(rawValue: 1 << 5)

        /// The request's method and header fields.
        public static let `default`: LogOptions = [.requestMethod, .requestHeaders]
        /// All parts of requests and responses, without the `curl` command.
        public static let verbose: LogOptions = [
            .requestMethod, .requestHeaders, .requestBody, .successResponseBody, .errorResponseBody,
        ]
    }

    /// Formats entries and bodies.
    public struct Formatter: Sendable {
        /// Converts a body to text.
        public typealias DataFormatterType = @Sendable (Data) -> String
        /// Formats an entry.
        public typealias EntryFormatterType =
            @Sendable (_ identifier: String, _ message: String, _ target: any TargetType) -> String

        /// Formats an entry.
        public var entry: EntryFormatterType
        /// Converts a request's body to text.
        public var requestData: DataFormatterType {
            get { ownRequestData ?? Self.defaultDataFormatter }
            set { ownRequestData = newValue }
        }
        /// Converts a response's body to text.
        public var responseData: DataFormatterType {
            get { ownResponseData ?? Self.defaultDataFormatter }
            set { ownResponseData = newValue }
        }

        // `nil` for the default formatter, which needs only the beginning of a body.
        private var ownRequestData: DataFormatterType?
        private var ownResponseData: DataFormatterType?

        /// Creates a formatter. By default entries begin with the date, and bodies are shown as
        /// UTF-8 text. With `nil`, a body is shown as by ``defaultDataFormatter(_:)``.
        @preconcurrency
        public init(
            entry: @escaping EntryFormatterType = defaultEntryFormatter,
            requestData: DataFormatterType? = nil, responseData: DataFormatterType? = nil
        ) {
            self.entry = entry
            ownRequestData = requestData
            ownResponseData = responseData
        }

        /// Formats a request's body with its secrets masked.
        func text(ofRequest body: Data, _ redaction: Redaction) -> String {
            Self.text(of: body, redaction, ownRequestData)
        }

        /// Formats a response's body with its secrets masked.
        func text(ofResponse body: Data, _ redaction: Redaction) -> String {
            Self.text(of: body, redaction, ownResponseData)
        }

        /// Only bytes that are shown are masked.
        private static func text(
            of body: Data, _ redaction: Redaction, _ formatter: DataFormatterType?
        ) -> String {
            if let formatter { return formatter(redaction.redact(body: body)) }
            let isWhole = body.count <= shownSize
            let beginning = redaction.redact(body: body, upTo: shownSize)
            return text(of: beginning, size: isWhole ? beginning.count : body.count, isWhole)
        }

        /// Size of the beginning of a body that the default formatter shows, in bytes.
        private static let shownSize = 64 << 10

        /// Converts a body to UTF-8 text. Bodies over 64 KiB are cut off, with their size appended.
        /// For a body that is not UTF-8, returns its size.
        public static func defaultDataFormatter(_ data: Data) -> String {
            let beginning = data.prefix(shownSize)
            return text(of: beginning, size: data.count, beginning.count == data.count)
        }

        private static func text(of beginning: Data, size: Int, _ isWhole: Bool) -> String {
            // The cut may split a UTF-8 character, which has up to four bytes.
            for cut in 0..<(isWhole ? 1 : 4) {
                guard let text = String(data: beginning.dropLast(cut), encoding: .utf8) else {
                    continue
                }
                return isWhole ? text : "\(text)… ## \(size) bytes ##"
            }
            return "## Cannot map data to String: \(size) bytes ##"
        }

        /// Formats an entry as `Moya_Logger: [date] identifier: message`.
        public static func defaultEntryFormatter(
            identifier: String, message: String, target: any TargetType
        ) -> String {
            let date = Date().formatted(date: .numeric, time: .shortened)
            return "Moya_Logger: [\(date)] \(identifier): \(message)"
        }
    }
}
