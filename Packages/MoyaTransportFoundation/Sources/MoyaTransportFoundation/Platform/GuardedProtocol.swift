#if !canImport(Security)
    import Foundation
    import FoundationNetworking

    /// URLSession's own protocol for http, with a ``ResponseGuard`` before what it receives.
    final class GuardedProtocol: URLProtocol {
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

        /// Has a session use this, where it would use URLSession's own.
        static func guardResponses(of session: URLSessionConfiguration) {
            guard ResponseGuard.isPossible else { return }
            session.protocolClasses = [GuardedProtocol.self] + (session.protocolClasses ?? [])
        }

        override class func canInit(with request: URLRequest) -> Bool {
            builtIn?.canInit(with: request) ?? false
        }

        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

        override func startLoading() {
            if responseGuard == nil { responseGuard = carrier.flatMap { ResponseGuard($0) } }
            carrier?.startLoading()
        }

        override func stopLoading() {
            carrier?.stopLoading()
        }
    }
#endif
