import Foundation

#if YAML
    import Yams

    extension OpenAPIDocument {
        /// Decodes a document in YAML 1.2, of which OpenAPI uses what JSON can represent. `no` and
        /// dates are strings.
        ///
        /// - Throws: ``Failure`` if the data is not YAML, or not an OpenAPI 3 document.
        public init(yaml: Data) throws {
            var reader = YAMLReader()
            try self.init(root: try reader.read(yaml))
        }
    }

    /// Converts YAML to JSON.
    private struct YAMLReader {
        /// Number of values that are left. Aliases of aliases could make any number.
        private var budget = 1_000_000

        mutating func read(_ data: Data) throws -> JSONValue {
            let node: Node?
            do {
                node = try Yams.compose(yaml: String(decoding: data, as: UTF8.self))
            } catch {
                throw OpenAPIDocument.Failure(
                    description: "The OpenAPI document is no YAML: \(error)")
            }
            return try node.map { try value(of: $0) } ?? .null
        }

        private mutating func value(of node: Node) throws -> JSONValue {
            budget -= 1
            guard budget > 0 else {
                throw OpenAPIDocument.Failure(
                    description: "The OpenAPI document has more than a million values.")
            }
            switch node {
            case .scalar(let scalar):
                return scalar.style == .plain || scalar.style == .any
                    ? Self.value(ofPlain: scalar.string) : .string(scalar.string)
            case .sequence(let sequence):
                var elements: [JSONValue] = []
                for element in sequence { elements.append(try value(of: element)) }
                return .array(elements)
            case .mapping(let mapping):
                var members: [String: JSONValue] = [:]
                for (key, member) in mapping {
                    guard let name = key.scalar?.string else {
                        throw OpenAPIDocument.Failure(
                            description: "The OpenAPI document has a key that is no text.")
                    }
                    members[name] = try value(of: member)
                }
                return .object(members)
            case .alias:
                throw OpenAPIDocument.Failure(
                    description: "The OpenAPI document has an alias without an anchor.")
            }
        }

        /// Resolves a scalar without quotes (YAML 1.2, section 10.3.2).
        private static func value(ofPlain text: String) -> JSONValue {
            switch text {
            case "", "~", "null", "Null", "NULL": return .null
            case "true", "True", "TRUE": return .bool(true)
            case "false", "False", "FALSE": return .bool(false)
            default: break
            }
            for (prefix, radix) in [("0x", 16), ("0o", 8)] where text.hasPrefix(prefix) {
                guard let number = Int(text.dropFirst(2), radix: radix) else { break }
                return .number(Double(number))
            }
            let isNumeric = text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+-.eE".utf8.contains($0)
            }
            guard isNumeric, let number = Double(text), number.isFinite else {
                return .string(text)
            }
            return .number(number)
        }
    }
#else
    extension OpenAPIDocument {
        @available(
            *, unavailable,
            message: "Turn on the trait YAML: .package(url: …, traits: [\"YAML\"])"
        )
        public init(yaml: Data) throws {
            try self.init(json: yaml)
        }
    }
#endif
