import Foundation
import MoyaInternals

/// Time, credential scope and derived key of the signatures of one request.
struct AWSSigningKey: Sendable {
    static let algorithm = "AWS4-HMAC-SHA256"

    /// Time of the signature, such as `20150830T123600Z`.
    let timestamp: String
    /// Day, region and service, such as `20150830/us-east-1/s3/aws4_request`.
    let scope: String
    private let key: Data

    /// Derives a key of `secret` for the day of `date`, a region and a service.
    init(secret: String, date: Date, region: String, service: String) {
        let time = CivilTime(date)
        let day = time.date(separator: "")
        let parts = [day, region, service, "aws4_request"]
        timestamp = "\(day)T\(time.clock(separator: ""))Z"
        scope = parts.joined(separator: "/")
        key = parts.reduce(Data("AWS4\(secret)".utf8)) { key, part in
            Digester.hmacSHA256(of: Data(part.utf8), key: key)
        }
    }

    /// Returns the signature of a text made of the algorithm, the time, the scope and `lines`.
    func signature(algorithm: String = Self.algorithm, of lines: String...) -> String {
        let text = ([algorithm, timestamp, scope] + lines).joined(separator: "\n")
        return Hexadecimal.encode(Digester.hmacSHA256(of: Data(text.utf8), key: key))
    }
}
