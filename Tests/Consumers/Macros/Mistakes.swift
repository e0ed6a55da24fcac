// Cases of APIs with mistakes that only the compiler can find, in code that `@API` generates.
// `scripts/check-consumers macros` expects the message after `// error:` on each line that has one,
// and no error elsewhere, such as in the generated code. The compiler reports one error in each
// property, so that most cases have an enum of their own.
import Foundation
import MoyaCore
import MoyaMacros

struct Plain: Sendable {
    var value = 1
}

struct Item: Codable, Sendable {
    var id: Int
}

@API("https://a.test", failure: Item.self)
enum First {
    @GET("/zen", String.self)
    case zen

    @GET("/a", Plain.self)
    case response  // error: no exact matches in call to initializer

    @GET("/b")
    case query(filter: Plain)  // error: cannot convert value of type 'Plain'

    @GET("/c/{id}")
    case path(id: Plain)  // error: no exact matches in call to instance method

    @GET("/e/{id}", example: ["id": "one"])
    case example(id: Int)  // error: cannot convert value of type 'String' to expected argument type

    @GET("/f", Item.self, sample: 7)
    case sample  // error: cannot convert value of type 'Int' to expected argument type 'Item'

    @GET("/h", headers: ["X": "{id}"])
    case header(id: Plain)  // error: no exact matches in call to instance method
}

@API("https://a.test")
enum Second {
    @GET("/c/{id...}")
    case segments(id: Int)  // error: requires that 'Int' conform to 'StringProtocol'

    @POST("/d", body: "item")
    case body(item: Plain)  // error: does not conform to expected type 'Encodable'
}

@API("https://a.test")
enum Third {
    @POST("/g", task: "missing")
    case task(id: Int)  // error: type 'Third' has no member 'missing'

    @available(*, deprecated)
    @GET("/i", Missing.self)  // error: cannot find 'Missing' in scope
    case unknown  // error: cannot find type 'Missing' in scope
}
