#if HTTPTypes
    import HTTPTypes
    import MoyaCore

    extension HTTPFields {
        /// Creates header or trailer fields in the order of `fields`, repeated fields included.
        ///
        /// Leaves out fields whose name is not a token (RFC 9110, section 5.6.2), and all after the
        /// 65,534th, because HTTPTypes ends the process at the next one.
        public init(_ fields: [HeaderField]) {
            self.init()
            reserveCapacity(fields.count)
            for field in fields.prefix(Int(UInt16.max) - 1) {
                guard let name = HTTPField.Name(field.name) else { continue }
                append(HTTPField(name: name, value: field.value))
            }
        }

        /// The fields of a `URLRequest`, which has one value for each name. Values of repeated
        /// fields are joined in their order: by a comma (RFC 9110, section 5.3), and those of
        /// `Cookie` by a semicolon (RFC 9113, section 8.2.3).
        var joined: [String: String] {
            var joined: [String: String] = [:]
            for field in self { joined[field.name.rawName] = self[field.name] }
            return joined
        }
    }

    extension [HeaderField] {
        /// Creates header or trailer fields in the order of `fields`, repeated fields included.
        public init(_ fields: HTTPFields) {
            self = fields.map { HeaderField(name: $0.name.rawName, value: $0.value) }
        }
    }
#endif
