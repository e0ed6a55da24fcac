import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension SessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Security)
            switch challenge.protectionSpace.authenticationMethod {
            case NSURLAuthenticationMethodServerTrust:
                urlSession(session, didReceive: challenge, completionHandler: completionHandler)
            case NSURLAuthenticationMethodHTTPDigest where challenge.previousFailureCount == 0:
                let credential = exchange(task)?.digestCredential
                completionHandler(
                    credential == nil ? .performDefaultHandling : .useCredential, credential)
            default:
                // Without a credential of the session's this hands over the 401, which is answered above.
                completionHandler(.performDefaultHandling, nil)
            }
        #else
            // Here URLSession either sends a credential or gives up, so the 401 is taken from the challenge.
            if let response = challenge.failureResponse as? HTTPURLResponse {
                exchange(task)?.settle(with: response, of: task)
            }
            completionHandler(.cancelAuthenticationChallenge, nil)
        #endif
    }

    #if canImport(Security)
        func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard let anchors, let trust = challenge.protectionSpace.serverTrust else {
                return completionHandler(.performDefaultHandling, nil)
            }
            if ServerTrust.isTrusted(trust, anchors: anchors) {
                completionHandler(.useCredential, URLCredential(trust: trust))
            } else {
                completionHandler(.cancelAuthenticationChallenge, nil)
            }
        }
    #endif
}
