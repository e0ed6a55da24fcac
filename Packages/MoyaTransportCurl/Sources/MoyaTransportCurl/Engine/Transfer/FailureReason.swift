#if CURL
import CMoyaCurl
import MoyaCore

/// Why libcurl has ended an attempt, from its code and its other information. Where it has nothing
/// else, ``ErrorText`` reads its message.
enum FailureReason {
    /// The error of an attempt that libcurl has ended with `code`.
    static func error(_ code: CURLcode, of attempt: Attempt) -> any Error {
        let (easy, handle, url) = (attempt.easy, attempt.handle, attempt.url)
        func failure(_ kind: URLError.Code, _ text: String, detail: String) -> URLError {
            URLError(kind, text, url: url, cause: CurlError(code, detail: detail))
        }
        // For a tunnel that the proxy refused, libcurl reports a receive error.
        let answer = easy.long(CURLINFO_HTTP_CONNECTCODE)
        if code == CURLE_RECV_ERROR, answer >= 300 {
            let text = "The proxy refused a tunnel with status \(answer)."
            return failure(.cannotConnectToHost, text, detail: handle.error)
        }
        if let fault = headFault(code, attempt) {
            return failure(.badServerResponse, fault, detail: "")
        }
        // libcurl 8.16 and later have no separate code for a client key that cannot be opened.
        if code == CURLE_BAD_FUNCTION_ARGUMENT, !attempt.hasSentRequest,
            handle.configuration.tls.identity != nil
        {
            let cause = CurlError(code, detail: handle.error)
            return URLError(.clientCertificateRejected, cause.message, url: url, cause: cause)
        }
        if attempt.upload.refusal.isCertain {
            let text = attempt.transfer.refusalText
            return failure(.networkConnectionLost, text, detail: text)
        }
        if ResetAnswers.isLost(code, attempt) { return ResetAnswers.error(url, code) }
        let verdicts = [CURLINFO_SSL_VERIFYRESULT, CURLINFO_PROXY_SSL_VERIFYRESULT]
        let verification = verdicts.map(easy.long).first { $0 != 0 } ?? 0
        return URLError(
            code, detail: handle.error + advice(code, verification, handle),
            verification: verification,
            url: url)
    }

    /// Advice for a certificate without a name, and for one without a known authority, if the
    /// system has no certificates.
    private static func advice(
        _ code: CURLcode, _ verification: Int, _ handle: CurlHandle
    ) -> String {
        if verification == CommonNames.hostMismatch { return ". " + CommonNames.advice }
        let tls = handle.configuration.tls
        guard tls.trust == .system, let advice = tls.authorities.advice,
            [CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE].contains(code)
        else { return "" }
        return (handle.error.isEmpty ? "\(CurlError(code).message)" : "") + ". " + advice
    }

    /// The fault of a head that libcurl rejected with a code that suggests something else. `nil` if
    /// it is not the head's.
    private static func headFault(_ code: CURLcode, _ attempt: Attempt) -> String? {
        let (easy, message) = (attempt.easy, attempt.handle.error)
        guard attempt.reader.awaitsHead, attempt.hasSentRequest else { return nil }
        let begun = attempt.reader.hasAnswer || easy.offset(CURLINFO_STARTTRANSFER_TIME_T) > 0
        switch code {
        // libcurl limits a line to 100 KiB, and reports a longer one as a lack of memory.
        case CURLE_OUT_OF_MEMORY where begun && message.isEmpty, .tooLarge:
            return "A line of the response's head is too long, or the memory is used up."
        // The head began with a folded line, which continues no field.
        case CURLE_BAD_FUNCTION_ARGUMENT:
            return "The response's first header field begins with a space."
        // The code refers to Transfer-Encoding: libcurl decodes no content coding here.
        case CURLE_BAD_CONTENT_ENCODING: return BodyFraming.Fault.coding.rawValue
        // libcurl also uses this code for unknown HTTP versions.
        case CURLE_UNSUPPORTED_PROTOCOL:
            return "The response's status line is not understood: \(message)"
        default: return nil
        }
    }
}

extension ResponseReader.Fault {
    func error(_ url: URL?) -> URLError {
        switch self {
        case .invalid(let text): URLError(.badServerResponse, text, url: url)
        case .cutOff(let text): URLError(.networkConnectionLost, text, url: url)
        }
    }
}
#endif
