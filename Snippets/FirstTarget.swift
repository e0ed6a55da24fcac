// A target and a request for it.
import Foundation
import MoyaKit

enum GitHub: TargetType, Equatable {
    case zen
    case userProfile(String)

    var baseURL: URL { URL(string: "https://api.github.com") ?? URL(fileURLWithPath: "/") }

    var path: String {
        switch self {
        case .zen: "/zen"
        case .userProfile(let name): "/users/\(segment: name)"
        }
    }

    var method: Moya.Method { .get }
    var task: Moya.Task { .requestPlain }
    var headers: [String: String]? { ["Accept": "application/json"] }
    var validationType: ValidationType { .successCodes }
    var sampleData: Data { Data(#"{"login":"sample","id":1}"#.utf8) }
}

struct User: Decodable {
    var login: String
    var id: Int
}

func showProfile() async throws {
    let provider = MoyaProvider<GitHub>()
    let user = try await provider.request(.userProfile("ashfurrow"), as: User.self)
    print(user.login)
}

// The same with a completion handler, as in Moya.
func showZen(_ provider: MoyaProvider<GitHub>) {
    provider.request(.zen) { result in
        print((try? result.get().mapString()) ?? "no zen")
    }
}
