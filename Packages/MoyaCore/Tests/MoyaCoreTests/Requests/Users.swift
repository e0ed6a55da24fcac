import Foundation
import MoyaCore

struct Person: Codable, Equatable {
    var login: String
    var id: Int
}

struct APIProblem: Codable, Equatable {
    var code: Int
}

protocol PeopleTarget: ResponseTarget {}

extension PeopleTarget {
    var baseURL: URL { url("http://people.test") }
}

struct GetPerson: PeopleTarget, SampledTarget {
    typealias Response = Person
    typealias Failure = APIProblem

    let id: Int
    var headers: [String: String]? = nil
    var path: String { "/people/\(segment: id)" }
    var sample: Person { Person(login: "sample", id: id) }
}

struct FindPerson: PeopleTarget {
    typealias Response = Person?
    var path: String { "/find" }
}

struct DeletePerson: PeopleTarget {
    typealias Response = Void
    let id: Int
    var path: String { "/people/\(segment: id)" }
    var method: Moya.Method { .delete }
}

struct Portrait: PeopleTarget {
    typealias Response = Data
    var path: String { "/portrait" }
}

struct Motto: PeopleTarget {
    typealias Response = String
    var path: String { "/motto" }
}

struct AsItIs: PeopleTarget {
    typealias Response = Moya.Response
    var path: String { "/raw" }
}

struct CreatePerson: PeopleTarget {
    typealias Response = Person
    let person: Person
    var headers: [String: String]? = nil
    var coders: Coders? = nil
    var path: String { "/people" }
    var method: Moya.Method { .post }
    var task: RequestTask { .requestEncodable(person) }
}
