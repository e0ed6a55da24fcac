#if CURL
import CMoyaCurl
import Foundation

/// What follows when libcurl has ended an attempt.
enum AttemptEnd {
    /// The transfer ends with the attempt's result.
    case result
    /// The transfer is started again.
    case again
    /// The transfer waits for a descriptor.
    case descriptor

    /// - Parameter hosts: The states of the hosts, counted for the first attempt that needs them.
    init(
        of attempt: Attempt, _ code: CURLcode, in driver: CurlDriver, _ hosts: inout HostStates?
    ) {
        if attempt.failure == nil { attempt.failure = Self.shutDownFailure(code, attempt) }
        let count = driver.handles.active.count
        if driver.descriptors.isCause(of: code, attempt, among: count) {
            self = .descriptor
        } else if let failure = attempt.failure, let restart = failure as? Restart {
            if restart == .unevaluatedConnection { attempt.transfer.repeats.unevaluatedCount += 1 }
            self = .again
        } else if ProxyScheme.isLearned(by: attempt, after: code)
            || LostServer.isOne(of: attempt, code)
            || LateConnectTimeout.isOne(of: attempt, code, in: driver, &hosts)
        {
            self = .again
        } else {
            self = .result
        }
    }

    /// The error of a transfer whose connection the watchdog has shut down. `nil` if it was not
    /// shut down, or the response is complete: libcurl may take the shutdown for the end of the
    /// body.
    private static func shutDownFailure(_ code: CURLcode, _ attempt: Attempt) -> URLError? {
        let mayBeCut =
            attempt.reader.framing.endsWithConnection
            && attempt.easy.long(CURLINFO_HTTP_VERSION) <= Int(CURL_HTTP_VERSION_1_1)
        guard code != CURLE_OK || mayBeCut else { return nil }
        let (handle, port) = (attempt.handle, attempt.easy.long(CURLINFO_LOCAL_PORT))
        return handle.context.watchdog.reason(handle.openedSockets, localPort: port)?
            .error(attempt.url)
    }
}

/// Why a callback has ended an attempt whose transfer is to be started again.
enum Restart: Error {
    /// The connection was opened by another transfer, and its certificates have not been evaluated.
    case unevaluatedConnection
    /// The kept connection has unread bytes before the request is written, or is closed.
    case unusableConnection
    /// The proxy requires another authentication scheme than expected. The request is sent again on
    /// another connection: a proxy such as Squid does not read on after it has refused a body.
    case otherProxyScheme
}
#endif
