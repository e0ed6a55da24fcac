#if !canImport(Security)
    import Foundation
    import FoundationNetworking

    extension SessionPlatform {
        /// URLSession on Linux crashes where a redirect is answered after its task was cancelled, and where the task is
        /// cancelled between the answer and its end. So only one of the two happens: a task that is being cancelled gets no
        /// answer, and a task whose redirect was answered is not cancelled.
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
