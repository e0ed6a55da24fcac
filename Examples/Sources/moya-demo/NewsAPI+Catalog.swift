import Foundation
import MoyaCore
import MoyaTesting
import MoyaTransportCurl

extension NewsRequest {
    /// Sends the requests that need no access token and checks their responses.
    static func check(at server: URL) async -> CatalogReport {
        func target(_ target: NewsAPI) -> NewsRequest {
            NewsRequest(server: server, target: target)
        }
        let catalog = TargetCatalog<NewsRequest> {
            target(.headlines).expecting([String].self)
            target(.front).expecting(.text)
            target(.film)
        }
        return await catalog.checkLive(with: MoyaProvider(transport: CurlTransport()))
    }
}
