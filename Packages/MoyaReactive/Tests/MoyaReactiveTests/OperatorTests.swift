import Foundation
import MoyaCore
import MoyaReactiveTestSupport
import Testing

private let streamTypes = frameworks.flatMap { $0.streamTypes }

@Suite struct OperatorTests {
    @Test(
        arguments: streamTypes,
        [
            (200, Outcome.value(200)), (204, .value(204)), (205, .failed("statusCode 205")),
            (199, .failed("statusCode 199")),
        ])
    func `filter(statusCodes:) passes a status within the range and fails for a status outside`(
        stream: StreamType, status: (code: Int, expected: Outcome<Int>)
    ) {
        let closed: any ResponseStream = stream(status.code).filter(statusCodes: 200...204)
        let halfOpen: any ResponseStream = stream(status.code).filter(statusCodes: 200..<205)
        #expect(closed.events.status == status.expected)
        #expect(halfOpen.events.status == status.expected)
    }

    @Test(arguments: streamTypes)
    func `filter(statusCodes:) takes ranges with one bound`(stream: StreamType) {
        let from: any ResponseStream = stream(600).filter(statusCodes: 200...)
        let upTo: any ResponseStream = stream(300).filter(statusCodes: ..<300)
        #expect(from.events.status == .value(600))
        #expect(upTo.events.status == .failed("statusCode 300"))
    }

    @Test(arguments: streamTypes, [(201, Outcome.value(201)), (200, .failed("statusCode 200"))])
    func `filter(statusCode:) passes the given status and fails for another status`(
        stream: StreamType, status: (code: Int, expected: Outcome<Int>)
    ) {
        let filtered: any ResponseStream = stream(status.code).filter(statusCode: 201)
        #expect(filtered.events.status == status.expected)
    }

    @Test(arguments: streamTypes, [199, 200, 299, 300, 404])
    func `filterSuccessfulStatusCodes passes a status from 200 to 299 and fails for another`(
        stream: StreamType, status: Int
    ) {
        let filtered: any ResponseStream = stream(status).filterSuccessfulStatusCodes()
        #expect(
            filtered.events.status
                == ([200, 299].contains(status) ? .value(status) : .failed("statusCode \(status)")))
    }

    @Test(arguments: streamTypes, [199, 200, 399, 400])
    func
        `filterSuccessfulStatusAndRedirectCodes passes a status from 200 to 399 and fails for another`(
            stream: StreamType, status: Int
        )
    {
        let filtered: any ResponseStream = stream(status).filterSuccessfulStatusAndRedirectCodes()
        #expect(
            filtered.events.status
                == ([200, 399].contains(status) ? .value(status) : .failed("statusCode \(status)")))
    }

    @Test(arguments: streamTypes)
    func `mapJSON delivers the JSON of the body, or fails with jsonMapping`(stream: StreamType) {
        #expect(
            stream(#"{"name":"Ada"}"#).json { $0 as? [String: String] }.outcome
                == .value(["name": "Ada"]))
        #expect(stream("{").json { "\($0)" }.outcome == .failed("jsonMapping"))
    }

    @Test(arguments: streamTypes)
    func `mapJSON of an empty body fails, or is NSNull if failsOnEmptyData is false`(
        stream: StreamType
    ) {
        #expect(stream("").json { "\($0)" }.outcome == .failed("jsonMapping"))
        #expect(stream("").json(failsOnEmptyData: false) { $0 is NSNull }.outcome == .value(true))
    }

    @Test(arguments: streamTypes)
    func `mapString delivers the text of the body, or fails with stringMapping`(
        stream: StreamType
    ) {
        #expect(stream("grüße").string().outcome == .value("grüße"))
        #expect(stream(.binary).string().outcome == .failed("stringMapping"))
    }

    @Test(arguments: streamTypes)
    func `mapString(atKeyPath:) delivers the text at the key path, or fails`(stream: StreamType) {
        let json = #"{"user":{"name":"Ada"}}"#
        #expect(stream(json).string(atKeyPath: "user.name").outcome == .value("Ada"))
        #expect(stream(json).string(atKeyPath: "user.age").outcome == .failed("stringMapping"))
        #expect(stream("{").string(atKeyPath: "user").outcome == .failed("jsonMapping"))
    }

    @Test(arguments: streamTypes)
    func `map decodes the body, or fails with objectMapping`(stream: StreamType) {
        let ada = #"{"name":"Ada"}"#
        #expect(stream(ada).object(User.self).outcome == .value(User("Ada")))
        #expect(stream(#"{"id":1}"#).object(User.self).outcome == .failed("objectMapping"))
        #expect(stream("[\(ada)]").object([User].self).outcome == .value([User("Ada")]))
    }

    @Test(arguments: streamTypes)
    func `map(atKeyPath:) decodes the JSON at the key path, or fails with jsonMapping`(
        stream: StreamType
    ) {
        let users = stream(#"{"users":[{"name":"Ada"}]}"#)
        #expect(users.object([User].self, atKeyPath: "users").outcome == .value([User("Ada")]))
        #expect(users.object(User.self, atKeyPath: "owner").outcome == .failed("jsonMapping"))
    }

    @Test(arguments: streamTypes)
    func `map decodes the body with the coders of the response`(stream: StreamType) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let response = Response(
            statusCode: 200, data: Data(#"{"name":"Ada","joined":60}"#.utf8),
            coders: Coders(decoder: decoder))
        #expect(
            stream(response).object(User.self).outcome
                == .value(User("Ada", joined: Date(timeIntervalSince1970: 60))))
    }

    @Test(arguments: streamTypes)
    func `map(using:) decodes the body with the decoder that is passed`(stream: StreamType) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let json = #"{"name":"Ada","joined":60}"#
        #expect(
            stream(json).object(User.self, using: decoder).outcome
                == .value(User("Ada", joined: Date(timeIntervalSince1970: 60))))
    }

    @Test(arguments: streamTypes)
    func `map of an empty body fails, or decodes {} if failsOnEmptyData is false`(
        stream: StreamType
    ) {
        let type = [String: Int].self
        #expect(stream("").object(type).outcome == .failed("objectMapping"))
        #expect(stream("").object(type, failsOnEmptyData: false).outcome == .value([:]))
    }

    @Test(arguments: streamTypes)
    func `Every operator passes an error of its stream on unchanged`(stream: StreamType) {
        let failing: any ResponseStream = stream(404).filterSuccessfulStatusCodes()
        let filtered: any ResponseStream = failing.filter(statusCodes: 0...)
        #expect(filtered.events.status == .failed("statusCode 404"))
        #expect(failing.json { "\($0)" }.outcome == .failed("statusCode 404"))
        #expect(failing.string().outcome == .failed("statusCode 404"))
        #expect(failing.object(User.self).outcome == .failed("statusCode 404"))
    }

    #if !canImport(UIKit) && !canImport(AppKit)
        // Does not compile if the library declares `mapImage()` on this platform, because the call
        // would be ambiguous.
        @Test(arguments: streamTypes)
        func `On a platform without an image type, an app can declare a mapImage method`(
            stream: StreamType
        ) {
            #expect(stream(.binary).image().outcome == .value(Data([0xFF, 0xFE, 0x00])))
        }
    #endif
}
