import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Keeps what could split a message out of a request. No HTTP library below does it for us.
@_spi(MoyaInternals)
public enum RequestValidation {
    /// Checks the method and every header field of `request`.
    ///
    /// - Throws: ``RequestError``.
    public static func validate(_ request: URLRequest) throws(RequestError) {
        try validate(method: request.httpMethod ?? "GET")
        if let headers = request.allHTTPHeaderFields { try validate(headers: headers) }
    }

    /// Checks fields that come after a body.
    ///
    /// - Throws: ``RequestError``.
    public static func validate(_ trailers: [HeaderField]) throws(RequestError) {
        for field in trailers { try validate(headers: [field.name: field.value]) }
    }

    /// Checks what an answer to a challenge is made of (RFC 7617, section 2).
    static func validate(_ credential: URLCredential) throws(RequestError) {
        for text in [credential.user, credential.password].compactMap({ $0 }) {
            guard !hasControlCharacter(text) else { throw .invalidCredential }
        }
    }

    /// Whether `text` holds what could end a line, or cut it off.
    public static func hasControlCharacter(_ text: String) -> Bool {
        text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }

    static func validate(method: String) throws(RequestError) {
        guard isToken(method) else { throw .invalidMethod(method) }
    }

    static func validate(headers: [String: String]) throws(RequestError) {
        for (name, value) in headers {
            guard isToken(name) else { throw .invalidHeaderName(name) }
            // HTAB is the one control character a value may hold.
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw .invalidHeaderValue(for: name)
            }
        }
    }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenCharacter)
    }

    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"),
            UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
