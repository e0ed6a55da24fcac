#if !canImport(Security)
    import Foundation
    import FoundationNetworking

    /// URLSession's own protocol for http, with a ``ResponseGuard`` before what it receives.
    class GuardedProtocol: URLProtocol {
        /// URLSession's own.
        static let builtIn: URLProtocol.Type? = {
            guard let url = URL(string: "http://localhost/") else { return nil }
            return URLSessionConfiguration.ephemeral.protocolClasses?.lazy
                .compactMap { $0 as? URLProtocol.Type }
                .first { $0.canInit(with: URLRequest(url: url)) }
        }()

        /// Made when it is first needed, which is also when an exchange is stopped that has not begun.
        private lazy var carrier: URLProtocol? = task.flatMap { task in
            Self.builtIn?.init(task: task, cachedResponse: nil, client: nil)
        }
        private var responseGuard: ResponseGuard?
        private var valve: ReceiveValve?

        /// Has a session use this, where it would use URLSession's own.
        static func guardResponses(of session: URLSessionConfiguration) {
            guard ResponseGuard.isPossible else { return }
            session.protocolClasses = [Self.self] + (session.protocolClasses ?? [])
        }

        override class func canInit(with request: URLRequest) -> Bool {
            builtIn?.canInit(with: request) ?? false
        }

        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

        override func startLoading() {
            if let valve { return valve.settle() }
            responseGuard = carrier.flatMap { ResponseGuard($0) }
            guard isReady(responseGuard) else {
                client?.urlProtocol(self, didFailWithError: URLError(.secureConnectionFailed))
                return
            }
            responseGuard.map(installValve)
            carrier?.startLoading()
        }

        /// Lets the exchange hold the server back.
        private func installValve(before responseGuard: ResponseGuard) {
            let valve = responseGuard.makeValve()
            self.valve = valve
            guard let task, let delegate = task.delegate as? SessionDelegate else { return }
            delegate.exchange(task)?.take { [weak valve] isHeldBack in
                if isHeldBack { valve?.shut() } else { valve?.open(task) }
            }
        }

        /// Whether the request may go to the server.
        func isReady(_ responseGuard: ResponseGuard?) -> Bool { true }

        override func stopLoading() {
            carrier?.stopLoading()
        }
    }

    /// One that carries nothing unless the ``TLSSettings`` of its transport count.
    final class SecuredProtocol: GuardedProtocol {
        override func isReady(_ responseGuard: ResponseGuard?) -> Bool {
            guard let responseGuard,
                let settings = (task?.delegate as? SessionDelegate)?.platform.tls
            else { return false }
            return responseGuard.apply(settings)
        }
    }
#endif
