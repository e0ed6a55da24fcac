import Foundation
import MoyaCore
import MoyaTestSupport
import MoyaTransportCurl

extension Nginx {
    /// Creates a transport whose server trust is decided by `evaluators`, by host.
    func evaluatingTransport(
        _ evaluators: [String: any ServerTrustEvaluating], mustBeEvaluated: Bool = true,
        trustsAuthority: Bool = true
    ) throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        if trustsAuthority { configuration.tls.trust = .file(authority) }
        configuration.tls.serverTrustManager = ServerTrustManager(
            allHostsMustBeEvaluated: mustBeEvaluated, evaluators: evaluators)
        return try CurlTransport(configuration: configuration)
    }

    /// Returns the server's own certificates.
    func certificates() throws -> [ServerCertificate] {
        try ServerCertificate.certificates(pem: Data(contentsOf: certificate))
    }
}
