#if canImport(Security)
    import Foundation
    import MoyaCore
    import Security

    extension SessionPlatform {
        func mayAnswerRedirect(of exchange: SessionExchange?) -> Bool { true }

        func answer(
            _ challenge: URLAuthenticationChallenge, to exchange: SessionExchange?,
            _ completion:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let space = challenge.protectionSpace
            let host = space.host
            if space.authenticationMethod == NSURLAuthenticationMethodClientCertificate,
                let clientCertificate, challenge.previousFailureCount == 0
            {
                return completion(.useCredential, clientCertificate)
            }
            // Certificates are asked for here, where no method of the session's answers. Anything else ends as
            // the 401 it came with, which is answered above.
            guard let trust = space.serverTrust else {
                return completion(.performDefaultHandling, nil)
            }
            do {
                guard let evaluator = try evaluator ?? manager?.serverTrustEvaluator(forHost: host)
                else { return completion(.performDefaultHandling, nil) }
                try evaluator.evaluate(trust, forHost: host)
                completion(.useCredential, URLCredential(trust: trust))
            } catch {
                exchange?.settle(distrusting: error)
                completion(.cancelAuthenticationChallenge, nil)
            }
        }
    }
#endif
