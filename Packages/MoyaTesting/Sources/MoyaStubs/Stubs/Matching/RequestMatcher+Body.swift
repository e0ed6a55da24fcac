import Foundation
import MoyaCore

extension RequestMatcher {
    /// Matches requests with a JSON body that contains all of `subset`. Objects may have more
    /// fields; arrays are compared element by element and must have equal lengths.
    ///
    /// Each match reads a body in a file again: see ``ReceivedRequest/body``.
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

    /// Matches requests with exactly this body. Each match reads a body in a file again: see
    /// ``ReceivedRequest/body``.
    public static func body(_ data: Data) -> RequestMatcher {
        RequestMatcher("with a body of \(data.count) bytes") { request in
            let body = request.bodyBytes ?? Data()
            return body == data
                ? [] : [Miss(reason: "the body is \(body.count) other bytes", weight: 0.4)]
        }
    }

    /// Matches requests whose body, decoded as UTF-8, contains `text`. Each match reads a body in a
    /// file again: see ``ReceivedRequest/body``.
    public static func body(containing text: String) -> RequestMatcher {
        RequestMatcher("with “\(text)” in its body") { request in
            let body = String(decoding: request.bodyBytes ?? Data(), as: UTF8.self)
            return body.contains(text)
                ? [] : [Miss(reason: "the body has no “\(text)”", weight: 0.4)]
        }
    }
}
