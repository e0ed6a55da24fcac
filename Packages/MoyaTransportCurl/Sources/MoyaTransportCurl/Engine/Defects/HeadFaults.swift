#if CURL
import CMoyaCurl
import Foundation
import MoyaCore

// Heads that libcurl accepts although they are invalid, or do not respond to the request, and heads
// that it rejects with a misleading error.
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

    /// The fault of a head that libcurl rejected with a code that suggests something else. `nil` if
    /// it is not the head's.
    func headFault(_ code: CURLcode) -> String? {
        // After an informational response or a challenge, libcurl expects another head.
        let isAwaited =
            !head.isWhole || !body.hasBegun && StatusLine.mayBeFollowed(handle.headLines.bytes)
        guard isAwaited, hasSentRequest else { return nil }
        let begun = head.hasAnswer || easy.offset(CURLINFO_STARTTRANSFER_TIME_T) > 0
        switch code {
        // libcurl limits a line to 100 KiB, and reports a longer one as a lack of memory.
        case CURLE_OUT_OF_MEMORY where begun && handle.error.isEmpty, .tooLarge:
            return "A line of the response's head is too long, or the memory is used up."
        // The head began with a folded line, which continues no field.
        case CURLE_BAD_FUNCTION_ARGUMENT:
            return "The response's first header field begins with a space."
        // libcurl 8.17 and later compare the lengths themselves.
        case CURLE_WEIRD_SERVER_REPLY where handle.error.hasPrefix("Invalid Content-Length"):
            return BodyFraming.Fault.length.description
        // The code refers to Transfer-Encoding: libcurl decodes no content coding here.
        case CURLE_BAD_CONTENT_ENCODING: return BodyFraming.Fault.coding.description
        // libcurl also uses this code for unknown HTTP versions.
        case CURLE_UNSUPPORTED_PROTOCOL:
            return "The response's status line is not understood: \(handle.error)"
        default: return nil
        }
    }

    /// The fault of a response without a ``statusCode``.
    static let statusFault = "The response's status line has no status code."

    /// The head's status code. `nil` if libcurl uses another one: it reads a line that it does not
    /// understand, such as "http/1.1 404", as status 200, also when that is the status line after
    /// an answered challenge.
    var statusCode: Int? {
        guard StatusLine.isOne(handle.headLines.bytes),
            let code = StatusLine.code(of: handle.headLines.bytes),
            code == easy.long(CURLINFO_RESPONSE_CODE)
        else { return nil }
        return code
    }
}
#endif
