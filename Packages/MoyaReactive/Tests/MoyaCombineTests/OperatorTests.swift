#if canImport(Combine) || OpenCombine
    import Foundation
    import MoyaCombine
    import MoyaCore
    import MoyaReactiveTestSupport
    import Testing

    #if canImport(Combine)
        import Combine
    #else
        import OpenCombine
    #endif

    @Suite struct OperatorTests {
        @Test(arguments: [
            (200, Outcome.value(200)), (204, .value(204)), (205, .failed("statusCode 205")),
            (199, .failed("statusCode 199")),
        ])
        func `a range of status codes is let through`(status: Int, expected: Outcome<Int>) {
            #expect(
                stream(status).filter(statusCodes: 200...204).map(\.statusCode).outcome == expected)
            #expect(
                stream(status).filter(statusCodes: 200..<205).map(\.statusCode).outcome == expected)
        }

        @Test func `a range of status codes may be open`() {
            #expect(
                stream(600).filter(statusCodes: 200...).map(\.statusCode).outcome == .value(600))
            #expect(
                stream(300).filter(statusCodes: ..<300).map(\.statusCode).outcome
                    == .failed("statusCode 300"))
        }

        @Test func `one status code is let through`() {
            #expect(stream(201).filter(statusCode: 201).map(\.statusCode).outcome == .value(201))
            #expect(
                stream(200).filter(statusCode: 201).map(\.statusCode).outcome
                    == .failed("statusCode 200"))
        }

        @Test func `successful status codes are those from 200 to 299`() {
            for status in [200, 299] {
                #expect(
                    stream(status).filterSuccessfulStatusCodes().map(\.statusCode).outcome
                        == .value(status))
            }
            for status in [199, 300, 404] {
                #expect(
                    stream(status).filterSuccessfulStatusCodes().map(\.statusCode).outcome
                        == .failed("statusCode \(status)"))
            }
        }

        @Test func `successes and redirects are those from 200 to 399`() {
            for status in [200, 399] {
                #expect(
                    stream(status).filterSuccessfulStatusAndRedirectCodes().map(\.statusCode)
                        .outcome
                        == .value(status))
            }
            for status in [199, 400] {
                #expect(
                    stream(status).filterSuccessfulStatusAndRedirectCodes().map(\.statusCode)
                        .outcome
                        == .failed("statusCode \(status)"))
            }
        }

        @Test func `JSON is mapped`() {
            #expect(
                stream(#"{"name":"Ada"}"#).mapJSON().map { $0 as? [String: String] }.outcome
                    == .value(["name": "Ada"]))
            #expect(stream("{").mapJSON().map { "\($0)" }.outcome == .failed("jsonMapping"))
        }

        @Test func `an empty body is no JSON unless it is allowed`() {
            #expect(stream("").mapJSON().map { "\($0)" }.outcome == .failed("jsonMapping"))
            #expect(
                stream("").mapJSON(failsOnEmptyData: false).map { $0 is NSNull }.outcome
                    == .value(true))
        }

        @Test func `text is mapped`() {
            #expect(stream("grüße").mapString().outcome == .value("grüße"))
            #expect(stream(.binary).mapString().outcome == .failed("stringMapping"))
        }

        @Test func `text at a key path is mapped`() {
            let json = #"{"user":{"name":"Ada"}}"#
            #expect(stream(json).mapString(atKeyPath: "user.name").outcome == .value("Ada"))
            #expect(
                stream(json).mapString(atKeyPath: "user.age").outcome == .failed("stringMapping"))
            #expect(stream("{").mapString(atKeyPath: "user").outcome == .failed("jsonMapping"))
        }

        @Test func `a value is decoded`() {
            #expect(stream(#"{"name":"Ada"}"#).map(User.self).outcome == .value(User("Ada")))
            #expect(stream(#"{"id":1}"#).map(User.self).outcome == .failed("objectMapping"))
            #expect(stream(#"[{"name":"Ada"}]"#).map([User].self).outcome == .value([User("Ada")]))
        }

        @Test func `a value at a key path is decoded`() {
            let json = #"{"users":[{"name":"Ada"}]}"#
            #expect(
                stream(json).map([User].self, atKeyPath: "users").outcome == .value([User("Ada")]))
            #expect(
                stream(json).map(User.self, atKeyPath: "owner").outcome == .failed("jsonMapping"))
        }

        @Test func `a value is decoded by the decoder that is named`() {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .secondsSince1970
            let json = #"{"name":"Ada","joined":60}"#
            #expect(
                stream(json).map(User.self, using: decoder).outcome
                    == .value(User("Ada", joined: Date(timeIntervalSince1970: 60))))
        }

        @Test func `an empty body is decoded where it is allowed`() {
            #expect(stream("").map([String: Int].self).outcome == .failed("objectMapping"))
            #expect(
                stream("").map([String: Int].self, failsOnEmptyData: false).outcome == .value([:]))
        }

        @Test func `an error passes through every operator as it is`() {
            let failing = stream(404).filterSuccessfulStatusCodes()
            #expect(
                failing.filter(statusCodes: 0...).map(\.statusCode).outcome
                    == .failed("statusCode 404"))
            #expect(failing.mapJSON().map { "\($0)" }.outcome == .failed("statusCode 404"))
            #expect(failing.mapString().outcome == .failed("statusCode 404"))
            #expect(failing.map(User.self).outcome == .failed("statusCode 404"))
        }

        #if !canImport(UIKit) && !canImport(AppKit)
            @Test
            func `without an image type there is no mapImage, and the bytes are as they came`() {
                // Were there one, this call would have two candidates and not compile.
                let mapped = stream(.binary).mapImage()
                #expect(mapped.outcome == .value(Data([0xFF, 0xFE, 0x00])))
            }
        #endif
    }

    private func stream(_ response: Response) -> AnyPublisher<Response, MoyaError> {
        Just(response).setFailureType(to: MoyaError.self).eraseToAnyPublisher()
    }

    private func stream(_ body: String) -> AnyPublisher<Response, MoyaError> {
        stream(Response(body))
    }

    private func stream(_ status: Int) -> AnyPublisher<Response, MoyaError> {
        stream(Response("", status: status))
    }

    #if !canImport(UIKit) && !canImport(AppKit)
        extension Publisher where Output == Response, Failure == MoyaError {
            /// What an app brings that decodes images by itself.
            fileprivate func mapImage() -> AnyPublisher<Data, MoyaError> {
                map(\.data).eraseToAnyPublisher()
            }
        }
    #endif
#endif
