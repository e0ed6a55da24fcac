import Foundation
import MoyaTestSupport

/// The schema of the HTTP Archive format 1.2: members of its objects, their types, and which are
/// optional.
indirect enum HARShape: Sendable {
    case text, moment, address
    /// An integer, with its minimum.
    case count(Int)
    /// A number of milliseconds, with its minimum.
    case time(Double)
    case list(HARShape)
    /// An object. Members whose names end with `?` are optional. Other members must begin with an
    /// underscore.
    case object([String: HARShape])

    /// Returns the violations of the schema in `value`.
    func violations(_ value: Any?, at path: String = "$") -> [String] {
        switch self {
        case .text: return value is String ? [] : ["\(path) is no text"]
        case .moment:
            let formatter = ISO8601DateFormatter()
            formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
            let moment = (value as? String).flatMap(formatter.date)
            return moment != nil ? [] : ["\(path) is no moment"]
        case .address:
            let url = (value as? String).flatMap(URL.init(string:))
            return url?.scheme != nil ? [] : ["\(path) is no absolute URL"]
        case .count(let least):
            let number = (value as? NSNumber)?.doubleValue
            let isCount = number.map { $0.rounded() == $0 && $0 >= Double(least) } ?? false
            return isCount ? [] : ["\(path) is no count"]
        case .time(let least):
            let number = (value as? NSNumber)?.doubleValue
            return number.map { $0 >= least } ?? false ? [] : ["\(path) is no time"]
        case .list(let shape):
            guard let items = value as? [Any] else { return ["\(path) is no list"] }
            return items.enumerated().flatMap { shape.violations($1, at: "\(path)[\($0)]") }
        case .object(let members):
            guard let object = value as? [String: Any] else { return ["\(path) is no object"] }
            return Self.violations(object, members, path)
        }
    }

    private static func violations(
        _ object: [String: Any], _ members: [String: HARShape], _ path: String
    ) -> [String] {
        var found: [String] = []
        var known: Set<String> = []
        for (member, shape) in members {
            let name = member.hasSuffix("?") ? String(member.dropLast()) : member
            known.insert(name)
            if let value = object[name] {
                found += shape.violations(value, at: "\(path).\(name)")
            } else if !member.hasSuffix("?") {
                found.append("\(path).\(name) is missing")
            }
        }
        let others = object.keys.filter { !known.contains($0) && !$0.hasPrefix("_") }
        return found + others.map { "\(path).\($0) is none of the format's" }
    }
}

extension HARShape {
    private static let pair = object(["name": .text, "value": .text, "comment?": .text])

    private static let cookie = object([
        "name": .text, "value": .text, "path?": .text, "domain?": .text, "expires?": .moment,
        "comment?": .text,
    ])

    private static let request = object([
        "method": .text, "url": .address, "httpVersion": .text, "cookies": .list(cookie),
        "headers": .list(pair), "queryString": .list(pair), "headersSize": .count(-1),
        "bodySize": .count(-1), "comment?": .text,
        // The format has `text` or `params`. The recorder writes `text` only.
        "postData?": .object(["mimeType": .text, "text": .text, "comment?": .text]),
    ])

    private static let response = object([
        "status": .count(0), "statusText": .text, "httpVersion": .text, "cookies": .list(cookie),
        "headers": .list(pair), "redirectURL": .text, "headersSize": .count(-1),
        "bodySize": .count(-1), "comment?": .text,
        "content": .object([
            "size": .count(0), "mimeType": .text, "text?": .text, "encoding?": .text,
            "compression?": .count(Int.min), "comment?": .text,
        ]),
    ])

    private static let timings = object([
        "blocked?": .time(-1), "dns?": .time(-1), "connect?": .time(-1), "ssl?": .time(-1),
        "send": .time(0), "wait": .time(0), "receive": .time(0), "comment?": .text,
    ])

    private static let entry = object([
        "startedDateTime": .moment, "time": .time(0), "request": request, "response": response,
        "cache": .object([:]), "timings": timings, "serverIPAddress?": .text, "connection?": .text,
        "comment?": .text,
    ])

    /// A whole archive, without the optional pages of browsers.
    static let archive = object([
        "log": .object([
            "version": .text, "entries": .list(entry), "comment?": .text,
            "creator": .object(["name": .text, "version": .text, "comment?": .text]),
        ])
    ])
}
