#if OpenAPI
    import Foundation
    import HTTPTypes
    @_spi(Generated) import OpenAPIRuntime

    /// A client in the shape that swift-openapi-generator gives it: each operation calls the
    /// runtime as generated code does.
    struct Client: Sendable {
        private let client: UniversalClient

        init(
            serverURL: URL, transport: any ClientTransport,
            middlewares: [any ClientMiddleware] = []
        ) {
            client = UniversalClient(
                serverURL: serverURL, transport: transport, middlewares: middlewares)
        }

        private var converter: Converter { client.converter }

        func listPets(
            _ input: Operations.ListPets.Input = .init()
        ) async throws -> Operations.ListPets.Output {
            try await client.send(input: input, forOperation: Operations.ListPets.id) { input in
                let path = try converter.renderedPath(template: "/pets", parameters: [])
                var request = HTTPRequest(soar_path: path, method: .get)
                suppressMutabilityWarning(&request)
                try converter.setQueryItemAsURI(
                    in: &request, style: .form, explode: true, name: "limit", value: input.limit)
                try converter.setQueryItemAsURI(
                    in: &request, style: .form, explode: true, name: "tag", value: input.tags)
                converter.setAcceptHeader(
                    in: &request.headerFields, contentTypes: input.accept)
                return (request, nil)
            } deserializer: { response, body in
                guard response.status.code == 200 else {
                    return .undocumented(
                        statusCode: response.status.code,
                        .init(headerFields: response.headerFields, body: body))
                }
                let next: String? = try converter.getOptionalHeaderFieldAsURI(
                    in: response.headerFields, name: "x-next", as: String.self)
                return .ok(
                    try await json([Components.Schemas.Pet].self, response, body), next: next)
            }
        }

        func createPet(
            _ pet: Components.Schemas.Pet
        ) async throws -> Operations.CreatePet.Output {
            try await client.send(input: pet, forOperation: Operations.CreatePet.id) { pet in
                let path = try converter.renderedPath(template: "/pets", parameters: [])
                var request = HTTPRequest(soar_path: path, method: .post)
                converter.setAcceptHeader(
                    in: &request.headerFields,
                    contentTypes: AcceptHeaderContentType<Accepted>.defaultValues)
                let body = try converter.setRequiredRequestBodyAsJSON(
                    pet, headerFields: &request.headerFields,
                    contentType: "application/json; charset=utf-8")
                return (request, body)
            } deserializer: { response, body in
                switch response.status.code {
                case 201:
                    let location = try converter.getRequiredHeaderFieldAsURI(
                        in: response.headerFields, name: "Location", as: String.self)
                    return .created(
                        try await json(Components.Schemas.Pet.self, response, body),
                        location: location)
                case 400...499:
                    return .clientError(
                        statusCode: response.status.code,
                        try await json(Components.Schemas.Problem.self, response, body))
                default:
                    return .undocumented(
                        statusCode: response.status.code,
                        .init(headerFields: response.headerFields, body: body))
                }
            }
        }

        func getPet(id: String) async throws -> Operations.GetPet.Output {
            try await client.send(input: id, forOperation: Operations.GetPet.id) { id in
                let path = try converter.renderedPath(template: "/pets/{}", parameters: [id])
                var request = HTTPRequest(soar_path: path, method: .get)
                converter.setAcceptHeader(
                    in: &request.headerFields,
                    contentTypes: AcceptHeaderContentType<Accepted>.defaultValues)
                return (request, nil)
            } deserializer: { response, body in
                switch response.status.code {
                case 200: .ok(try await json(Components.Schemas.Pet.self, response, body))
                case 404:
                    .notFound(try await json(Components.Schemas.Problem.self, response, body))
                default:
                    .undocumented(
                        statusCode: response.status.code,
                        .init(headerFields: response.headerFields, body: body))
                }
            }
        }

        func deletePet(id: String) async throws -> Operations.DeletePet.Output {
            try await client.send(input: id, forOperation: Operations.DeletePet.id) { id in
                let path = try converter.renderedPath(template: "/pets/{}", parameters: [id])
                var request = HTTPRequest(soar_path: path, method: .delete)
                suppressMutabilityWarning(&request)
                return (request, nil)
            } deserializer: { response, body in
                response.status.code == 204
                    ? .noContent
                    : .undocumented(
                        statusCode: response.status.code,
                        .init(headerFields: response.headerFields, body: body))
            }
        }

        func addPhotos(
            id: String, _ parts: MultipartBody<Operations.AddPhotos.Part>
        ) async throws -> Operations.AddPhotos.Output {
            try await client.send(input: parts, forOperation: Operations.AddPhotos.id) { parts in
                let path = try converter.renderedPath(
                    template: "/pets/{}/photos", parameters: [id])
                var request = HTTPRequest(soar_path: path, method: .post)
                converter.setAcceptHeader(
                    in: &request.headerFields,
                    contentTypes: AcceptHeaderContentType<Accepted>.defaultValues)
                let body = try converter.setRequiredRequestBodyAsMultipart(
                    parts, headerFields: &request.headerFields,
                    contentType: "multipart/form-data", allowsUnknownParts: false,
                    requiredExactlyOncePartNames: ["pet"], requiredAtLeastOncePartNames: [],
                    atMostOncePartNames: [], zeroOrMoreTimesPartNames: ["photo"],
                    encoding: rawPart)
                return (request, body)
            } deserializer: { response, body in
                response.status.code == 200
                    ? .ok(try await json(Components.Schemas.Count.self, response, body))
                    : .undocumented(
                        statusCode: response.status.code,
                        .init(headerFields: response.headerFields, body: body))
            }
        }

        func exportPets() async throws -> Operations.ExportPets.Output {
            try await client.send(input: (), forOperation: Operations.ExportPets.id) { _ in
                let path = try converter.renderedPath(template: "/pets/export", parameters: [])
                var request = HTTPRequest(soar_path: path, method: .get)
                converter.setAcceptHeader(
                    in: &request.headerFields,
                    contentTypes: AcceptHeaderContentType<AcceptedBytes>.defaultValues)
                return (request, nil)
            } deserializer: { response, body in
                response.status.code == 200
                    ? .ok(
                        try converter.getResponseBodyAsBinary(
                            HTTPBody.self, from: body, transforming: { $0 }))
                    : .undocumented(
                        statusCode: response.status.code,
                        .init(headerFields: response.headerFields, body: body))
            }
        }

        func importPets(_ lines: HTTPBody) async throws -> Operations.ImportPets.Output {
            try await client.send(input: lines, forOperation: Operations.ImportPets.id) { lines in
                let path = try converter.renderedPath(template: "/pets/import", parameters: [])
                var request = HTTPRequest(soar_path: path, method: .put)
                converter.setAcceptHeader(
                    in: &request.headerFields,
                    contentTypes: AcceptHeaderContentType<Accepted>.defaultValues)
                let body = try converter.setRequiredRequestBodyAsBinary(
                    lines, headerFields: &request.headerFields, contentType: "application/jsonl")
                return (request, body)
            } deserializer: { response, body in
                response.status.code == 202
                    ? .accepted(try await json(Components.Schemas.Count.self, response, body))
                    : .undocumented(
                        statusCode: response.status.code,
                        .init(headerFields: response.headerFields, body: body))
            }
        }

        func watchPets() async throws -> Operations.WatchPets.Output {
            try await client.send(input: (), forOperation: Operations.WatchPets.id) { _ in
                let path = try converter.renderedPath(template: "/pets/watch", parameters: [])
                var request = HTTPRequest(soar_path: path, method: .get)
                converter.setAcceptHeader(
                    in: &request.headerFields,
                    contentTypes: AcceptHeaderContentType<AcceptedEvents>.defaultValues)
                return (request, nil)
            } deserializer: { response, body in
                response.status.code == 200
                    ? .ok(
                        try converter.getResponseBodyAsBinary(
                            HTTPBody.self, from: body, transforming: { $0 }))
                    : .undocumented(
                        statusCode: response.status.code,
                        .init(headerFields: response.headerFields, body: body))
            }
        }

        @Sendable private func rawPart(
            _ part: Operations.AddPhotos.Part
        ) throws -> MultipartRawPart {
            var headerFields = HTTPFields()
            switch part {
            case .pet(let wrapped):
                let body = try converter.setRequiredRequestBodyAsJSON(
                    wrapped.payload, headerFields: &headerFields,
                    contentType: "application/json; charset=utf-8")
                return .init(
                    name: "pet", filename: wrapped.filename, headerFields: headerFields, body: body)
            case .photo(let wrapped):
                let body = try converter.setRequiredRequestBodyAsBinary(
                    wrapped.payload, headerFields: &headerFields, contentType: "image/png")
                return .init(
                    name: "photo", filename: wrapped.filename, headerFields: headerFields,
                    body: body)
            }
        }

        private func json<Value: Decodable>(
            _ type: Value.Type, _ response: HTTPResponse, _ body: HTTPBody?
        ) async throws -> Value {
            let contentType = converter.extractContentTypeIfPresent(in: response.headerFields)
            _ = try converter.bestContentType(
                received: contentType, options: ["application/json"])
            return try await converter.getResponseBodyAsJSON(
                type, from: body, transforming: { $0 })
        }
    }
#endif
