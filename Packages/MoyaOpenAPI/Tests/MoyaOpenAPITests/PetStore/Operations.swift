#if OpenAPI
    import HTTPTypes
    @_spi(Generated) import OpenAPIRuntime

    // Types of a client in the shape that swift-openapi-generator gives them.

    enum Components {
        enum Schemas {
            struct Pet: Codable, Hashable, Sendable {
                var id: Int64?
                var name: String
                var tags: [String]?
            }

            struct Problem: Codable, Hashable, Sendable {
                var code: Int
                var message: String
            }

            struct Count: Codable, Hashable, Sendable {
                var count: Int
            }
        }
    }

    enum Operations {
        enum ListPets {
            static let id = "listPets"

            struct Input: Sendable, Hashable {
                var limit: Int32?
                var tags: [String]?
                var accept: [AcceptHeaderContentType<Accepted>] = .defaultValues()
            }

            enum Output: Sendable, Hashable {
                case ok([Components.Schemas.Pet], next: String?)
                case undocumented(statusCode: Int, UndocumentedPayload)
            }
        }

        enum CreatePet {
            static let id = "createPet"

            enum Output: Sendable, Hashable {
                case created(Components.Schemas.Pet, location: String)
                case clientError(statusCode: Int, Components.Schemas.Problem)
                case undocumented(statusCode: Int, UndocumentedPayload)
            }
        }

        enum GetPet {
            static let id = "getPet"

            enum Output: Sendable, Hashable {
                case ok(Components.Schemas.Pet)
                case notFound(Components.Schemas.Problem)
                case undocumented(statusCode: Int, UndocumentedPayload)
            }
        }

        enum DeletePet {
            static let id = "deletePet"

            enum Output: Sendable, Hashable {
                case noContent
                case undocumented(statusCode: Int, UndocumentedPayload)
            }
        }

        enum AddPhotos {
            static let id = "addPhotos"

            enum Part: Sendable, Hashable {
                case pet(MultipartPart<Components.Schemas.Pet>)
                case photo(MultipartPart<HTTPBody>)
            }

            enum Output: Sendable, Hashable {
                case ok(Components.Schemas.Count)
                case undocumented(statusCode: Int, UndocumentedPayload)
            }
        }

        enum ExportPets {
            static let id = "exportPets"

            enum Output: Sendable, Hashable {
                case ok(HTTPBody)
                case undocumented(statusCode: Int, UndocumentedPayload)
            }
        }

        enum ImportPets {
            static let id = "importPets"

            enum Output: Sendable, Hashable {
                case accepted(Components.Schemas.Count)
                case undocumented(statusCode: Int, UndocumentedPayload)
            }
        }

        enum WatchPets {
            static let id = "watchPets"

            enum Output: Sendable, Hashable {
                case ok(HTTPBody)
                case undocumented(statusCode: Int, UndocumentedPayload)
            }
        }
    }

    /// The media types of the document's responses that are JSON.
    enum Accepted: AcceptableProtocol {
        case json

        init?(rawValue: String) {
            guard rawValue.lowercased() == "application/json" else { return nil }
            self = .json
        }

        var rawValue: String { "application/json" }
    }

    enum AcceptedBytes: AcceptableProtocol {
        case binary

        init?(rawValue: String) {
            guard rawValue.lowercased() == "application/octet-stream" else { return nil }
            self = .binary
        }

        var rawValue: String { "application/octet-stream" }
    }

    enum AcceptedEvents: AcceptableProtocol {
        case eventStream
        case json

        init?(rawValue: String) {
            switch rawValue.lowercased() {
            case "text/event-stream": self = .eventStream
            case "application/json": self = .json
            default: return nil
            }
        }

        var rawValue: String {
            switch self {
            case .eventStream: "text/event-stream"
            case .json: "application/json"
            }
        }
    }
#endif
