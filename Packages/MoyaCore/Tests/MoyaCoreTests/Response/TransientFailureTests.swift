import Foundation
import MoyaCore
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct TransientFailureTests {
    private func response(_ status: Int) -> Response { Response(statusCode: status, data: Data()) }

    @Test(arguments: 100...599)
    func `Only 408, 429, 500, 502, 503 and 504 are transient statuses, in each form of an error`(
        status: Int
    ) {
        let expected: TransientFailure? =
            [429, 503].contains(status)
            ? .overloaded : [408, 500, 502, 504].contains(status) ? .retryableStatus : nil
        let refusal = MoyaError.statusCode(response(status))
        #expect(TransientFailure(statusCode: status) == expected)
        #expect(TransientFailure(refusal) == expected)
        #expect(TransientFailure(MoyaError.underlying(refusal, response(status))) == expected)
    }

    @Test(
        arguments: [
            (.cannotConnectToHost, .unreachable), (.cannotFindHost, .unreachable),
            (.dnsLookupFailed, .unreachable), (.notConnectedToInternet, .unreachable),
            (.networkConnectionLost, .interrupted), (.timedOut, .interrupted), (.cancelled, nil),
            (.serverCertificateUntrusted, nil), (.dataLengthExceedsMaximum, nil),
            (.badServerResponse, nil),
        ] as [(URLError.Code, TransientFailure?)])
    func `A URLError is transient if a later attempt may succeed, alone and inside a MoyaError`(
        code: URLError.Code, expected: TransientFailure?
    ) {
        #expect(TransientFailure(URLError(code)) == expected)
        #expect(TransientFailure(MoyaError.underlying(URLError(code), nil)) == expected)
        #expect(TransientFailure(MoyaError.underlying(URLError(code), response(200))) == expected)
    }

    @Test func `A failed TLS handshake is transient only if the server has answered before`() {
        let error = MoyaError.underlying(URLError(.secureConnectionFailed), nil)
        #expect(TransientFailure(error) == nil)
        #expect(TransientFailure(error, hasAnswered: true) == .unreachable)
        #expect(TransientFailure(URLError(.serverCertificateUntrusted), hasAnswered: true) == nil)
    }

    @Test func `A cancellation and a request that cannot be made are not transient`() {
        #expect(TransientFailure(CancellationError()) == nil)
        #expect(TransientFailure(MoyaError.requestMapping("http://a.test")) == nil)
    }
}
