// Trusts certificates or public keys for each host.
import Foundation
import MoyaCore
import MoyaTransportCurl

func makePinningTransport(authority: URL, keys: URL) throws -> CurlTransport {
    let certificates = try ServerCertificate.certificates(pem: Data(contentsOf: authority))
    let publicKeys = try ServerPublicKey.keys(pem: Data(contentsOf: keys))
    var configuration = CurlTransport.Configuration()
    configuration.tls.serverTrustManager = ServerTrustManager(
        allHostsMustBeEvaluated: false,
        evaluators: [
            "internal.example.com": PinnedCertificatesTrustEvaluator(
                certificates: certificates, acceptSelfSignedCertificates: true),
            "*.example.com": PublicKeysTrustEvaluator(keys: publicKeys),
        ])
    return try CurlTransport(configuration: configuration)
}
