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
            // Other challenges are not answered here. Their 401 response reaches
            // `FoundationTransport`, which answers it.
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
