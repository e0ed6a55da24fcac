import Foundation
import MoyaCore

extension NetworkLoggerPlugin {
    /// What a ``NetworkLoggerPlugin`` logs, and where it goes.
    public struct Configuration: Sendable {
        /// Takes the entries of one request or response.
        public typealias OutputType =
            @Sendable (_ target: any TargetType, _ items: [String]) -> Void

        /// Makes text of what is logged.
        public var formatter: Formatter
        /// Takes the entries. The default prints them.
        public var output: OutputType
        /// Which parts are logged.
        public var logOptions: LogOptions
        /// What is masked. `Redaction.none` writes secrets into your log.
        public var redaction: Redaction

        /// Unless you say otherwise, method and header fields of requests are printed, with what is usually secret
        /// masked.
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

        /// Prints each entry on a line of its own.
        public static func defaultOutput(target: any TargetType, items: [String]) {
            for item in items { print(item) }
        }
    }
}

extension NetworkLoggerPlugin.Configuration {
    /// Which parts of requests and responses are logged.
    public struct LogOptions: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The request's method.
        public static let requestMethod = LogOptions(rawValue: 1 << 0)
        /// The request's body.
        public static let requestBody = LogOptions(rawValue: 1 << 1)
        /// The request's header fields.
        public static let requestHeaders = LogOptions(rawValue: 1 << 2)
        /// The request as a `curl` command, with its method, header fields and body whatever else is set.
        public static let formatRequestAscURL = LogOptions(rawValue: 1 << 3)
        /// The body of a response that is no error.
        public static let successResponseBody = LogOptions(rawValue: 1 << 4)
        /// The body of a response that is an error.
        public static let errorResponseBody = LogOptions(rawValue: 1 << 5)

        /// The request's method and header fields.
        public static let `default`: LogOptions = [.requestMethod, .requestHeaders]
        /// Everything.
        public static let verbose: LogOptions = [
            .requestMethod, .requestHeaders, .requestBody, .successResponseBody, .errorResponseBody,
        ]
    }

    /// Makes text of what is logged.
    public struct Formatter: Sendable {
        /// Makes text of a body.
        public typealias DataFormatterType = @Sendable (Data) -> String
        /// Makes an entry.
        public typealias EntryFormatterType =
            @Sendable (_ identifier: String, _ message: String, _ target: any TargetType) -> String

        /// Makes an entry.
        public var entry: EntryFormatterType
        /// Makes text of a request's body.
        public var requestData: DataFormatterType
        /// Makes text of a response's body.
        public var responseData: DataFormatterType

        /// Unless you say otherwise, entries have the date in front, and bodies are shown as UTF-8 text.
        @preconcurrency
        public init(
            entry: @escaping EntryFormatterType = defaultEntryFormatter,
            requestData: @escaping DataFormatterType = defaultDataFormatter,
            responseData: @escaping DataFormatterType = defaultDataFormatter
        ) {
            self.entry = entry
            self.requestData = requestData
            self.responseData = responseData
        }

        /// The body as UTF-8: of one above 64 KiB the beginning and the size, of one that is no text the size.
        public static func defaultDataFormatter(_ data: Data) -> String {
            let beginning = data.prefix(64 << 10)
            let isWhole = beginning.count == data.count
            // The cut may go through a character of up to four bytes.
            for cut in 0..<(isWhole ? 1 : 4) {
                guard let text = String(data: beginning.dropLast(cut), encoding: .utf8) else {
                    continue
                }
                return isWhole ? text : "\(text)… ## \(data.count) bytes ##"
            }
            return "## Cannot map data to String: \(data.count) bytes ##"
        }

        /// `Moya_Logger: [date] identifier: message`
        public static func defaultEntryFormatter(
            identifier: String, message: String, target: any TargetType
        ) -> String {
            let date = Date().formatted(date: .numeric, time: .shortened)
            return "Moya_Logger: [\(date)] \(identifier): \(message)"
        }
    }
}
