import Foundation
import MoyaCore
import MoyaMacros
import MoyaMultipart

struct Item: Codable, Equatable, Sendable {
    var id: Int
    var name: String
}

enum Size: String, Codable, Sendable {
    case big = "BIG"
}

/// An enum whose description differs from its raw value.
enum Label: Int, Codable, Sendable, CustomStringConvertible {
    case one = 1

    var description: String { "the first" }
}

/// An API with every form of case that the macros support.
@API(
    "https://shop.test/v1", headers: ["Accept": "application/json", "X-Client": "tests"],
    query: URLQueryEncoder(arrayEncoding: .noBrackets, dateEncoding: .secondsSince1970))
enum ShopAPI: Equatable {
    @GET("/motto", String.self, sample: "Buy \"now\"")
    case motto

    @GET("/items/{id}", Item.self, sample: Item(id: 1, name: "a"), example: ["id": 1])
    case item(id: Int)

    @GET("/items", [Item].self, query: ["since": "{after}", "sort": "name"], sample: [])
    case items(q: String?, tags: [String] = [], after: Date? = nil)

    @POST("/shelves/{shelf}/items", Item.self, body: "item", headers: ["X-Trace": "{trace}"])
    case add(shelf: String, item: Item, trace: UUID?)

    @PUT("/items/{id}", Void.self, body: "item", headers: ["accept": "*/*"])
    case replace(id: Int, item: Item)

    @DELETE("/items/{id}", example: ["id": 1], validation: .customCodes([200, 204, 404]))
    case remove(id: Int)

    @Multipart @POST("/pictures/{id}", Data.self)
    case picture(id: Int, file: Data, title: String?, page: Int)

    @HEAD("/items/{id}", Void.self, example: ["id": 2])
    case exists(id: Int)

    @HTTP("PURGE", "/cache", Void.self)
    case purge

    @GET("/where/{in}", Void.self)
    case `default`(in: String, for: Int?, `inout`: Int?, `true`: Bool?)

    @GET("/send", Void.self)
    case send(text: String)

    @POST("/raw", task: "raw")
    case upload(_ bytes: Data, type: String)

    @GET(
        "/sizes/{size}", Void.self,
        headers: ["X-Size": "{other}", "X-Sizes": "{label} {label2}"])
    case sized(size: Size, other: Size?, label: Label?, label2: Label?, q: Size)

    @Multipart @POST("/sizes", Data.self)
    case sizeForm(size: Size, other: Size?)

    @PATCH("/items", Void.self, body: "item")
    case patch(item: Item?)

    static func raw(_ bytes: Data, type: String) -> RequestTask { .requestData(bytes) }
}

public enum Places {}

/// A public API in an extension. A default value of its case refers to a static member.
public extension Places {
    @available(macOS 12, *)
    @MoyaMacros.API("https://places.test/\"a\"")
    enum API {
        public static var first: Int { 7 }

        @MoyaMacros.GET("/place", Void.self) case place(id: Int = Self.first)
    }
}

/// An API that declares its own `validationType`.
@API("https://unused.test")
public enum Open {
    @GET("/any") case any(page: Int? = nil)

    public var validationType: Moya.ValidationType { .none }
}

/// An API with a deprecated case, whose generated code causes no warning.
@API("https://aged.test")
enum Aged {
    @available(*, deprecated, message: "Use new.")
    @GET("/old/{id}", example: ["id": 1])
    case old(id: Int)

    @GET("/new") case new
}

struct Refusal: Decodable {
    var message: String
}

/// An API whose names are sent in snake case, with lists and an error body.
@API("https://lists.test", names: .snakeCase, failure: Refusal.self)
enum Lists {
    @GET("/items", [Item].self) case items(perPage: Int?)
    @GET("/contents/{path...}", String.self) case contents(path: String)
}
