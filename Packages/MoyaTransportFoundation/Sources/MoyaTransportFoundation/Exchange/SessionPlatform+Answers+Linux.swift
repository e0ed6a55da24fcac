#if !canImport(Security)
    import Foundation
    import FoundationNetworking

    extension SessionPlatform {
        /// URLSession here ends the process where a redirect is answered after its task has been cancelled, and where the
        /// task is cancelled between the answer and the end that follows on it. So only one of them happens: a task that
        /// is being cancelled gets no answer, and one that has got it is left to end.
        func mayAnswerRedirect(of exchange: SessionExchange?) -> Bool {
            exchange?.leaveToEnd() ?? false
        }

        /// URLSession either sends a credential or gives up, so the 401 is taken from the challenge.
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
