import Foundation

extension URL {
    var hasUserInfo: Bool { user != nil || password != nil }

    var withoutUserInfo: URL {
        guard hasUserInfo,
            var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        components.user = nil
        components.password = nil
        return components.url ?? self
    }
}
