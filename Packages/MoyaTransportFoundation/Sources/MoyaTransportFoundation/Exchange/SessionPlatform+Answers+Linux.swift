#if !canImport(Security)
    import Foundation
    import FoundationNetworking

    extension SessionPlatform {
        /// Whether the redirect may be answered. On Linux, URLSession crashes if a redirect is
        /// answered after its task has been cancelled, or if the task is cancelled after the
        /// answer. Therefore a cancelled task gets no answer, and a task whose redirect has been
        /// answered is not cancelled.
        func mayAnswerRedirect(of exchange: SessionExchange?) -> Bool {
            exchange?.leaveToEnd() ?? false
        }

        /// Takes the 401 response from the challenge and cancels it: URLSession on Linux can only
        /// send a credential or fail.
        func answer(
            _ challenge: URLAuthenticationChallenge, to exchange: SessionExchange?,
            _ completion:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            if let response = challenge.failureResponse as? HTTPURLResponse {
                exchange?.settle(with: response)
            }
            completion(.cancelAuthenticationChallenge, nil)
        }
    }
#endif
