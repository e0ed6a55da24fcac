import Foundation
import MoyaCore

extension RequestMatcher {
    /// Requests whose body is JSON that has all of `subset`: every field of an object, whatever else the object has.
    /// Arrays are compared element by element, and have to have as many.
    ///
    /// A body in a file is read whenever this is asked: see ``ReceivedRequest/body``.
    public static func jsonBody(_ subset: JSONValue) -> RequestMatcher {
        RequestMatcher("with JSON \(subset.shownText)") { request in
            guard let body = request.bodyBytes else {
                return [Miss(reason: "there is no body", weight: 0.5)]
            }
            guard let json = try? JSONDecoder().decode(JSONValue.self, from: body) else {
                return [Miss(reason: "the body is not JSON", weight: 0.5)]
            }
            return json.differences(from: subset, allowsMore: true).map {
                Miss(reason: "in the body, \($0)", weight: 0.2)
            }
        }
    }

    /// Requests with exactly this body. One in a file is read whenever this is asked: see ``ReceivedRequest/body``.
    public static func body(_ data: Data) -> RequestMatcher {
        RequestMatcher("with a body of \(data.count) bytes") { request in
            let body = request.bodyBytes ?? Data()
            return body == data
                ? [] : [Miss(reason: "the body is \(body.count) other bytes", weight: 0.4)]
        }
    }

    /// Requests with a body in UTF-8 that has `text` in it. One in a file is read whenever this is asked: see
    /// ``ReceivedRequest/body``.
    public static func body(containing text: String) -> RequestMatcher {
        RequestMatcher("with “\(text)” in its body") { request in
            let body = String(decoding: request.bodyBytes ?? Data(), as: UTF8.self)
            return body.contains(text)
                ? [] : [Miss(reason: "the body has no “\(text)”", weight: 0.4)]
        }
    }
}
