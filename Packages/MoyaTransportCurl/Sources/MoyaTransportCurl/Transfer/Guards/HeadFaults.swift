#if CURL
import CMoyaCurl
import Foundation
import MoyaCore

// Heads that libcurl accepts although they are invalid, or do not respond to the request.
extension Attempt {
    /// The fault that makes a complete head invalid, or `nil`.
    func headFault(end: UnsafeRawBufferPointer) -> String? {
        guard let code = statusCode else { return Self.statusFault }
        // libcurl takes every line that begins with a carriage return for the empty line.
        guard end.count <= 2, end.last == UInt8(ascii: "\n") else {
            return "A line of the response's head begins with a carriage return."
        }
        // libcurl would take the bytes of the other protocol for the body (RFC 9110, section
        // 15.2.2).
        if code == 101, request.urlRequest.value(forHTTPHeaderField: "Upgrade") == nil {
            return "The server switches to another protocol, which the request has not asked for."
        }
        return mayHaveBody ? head.framing.fault?.description : nil
    }

    /// The fault of a response without a ``statusCode``.
    static let statusFault = "The response's status line has no status code."

    /// The head's status code. `nil` if libcurl uses another one: it reads a line that it does not
    /// understand, such as "http/1.1 404", as status 200, also when that is the status line after
    /// an answered challenge.
    var statusCode: Int? {
        guard StatusLine.isOne(handle.head.bytes),
            let code = StatusLine.code(of: handle.head.bytes),
            code == easy.long(CURLINFO_RESPONSE_CODE)
        else { return nil }
        return code
    }
}
#endif
