#if RxSwift
    import Foundation
    import MoyaCore
    import MoyaReactiveTestSupport
    import RxMoya
    import RxSwift

    struct RxSwiftFramework: Framework {
        let testDescription = "RxSwift"
        let endsAfterCancel: [String] = []
        let streamTypes = [
            StreamType("RxSwift Observable") { Observable.just($0) },
            StreamType("RxSwift Single") { Single.just($0) },
        ]

        func response(to target: Service, from provider: Provider) -> any ResponseStream {
            provider.rx.request(target)
        }

        func response(
            to target: Service, from provider: Provider, on queue: DispatchQueue
        ) -> any ResponseStream {
            provider.rx.request(target, callbackQueue: queue)
        }

        func progress(of target: Service, from provider: Provider) -> any ProgressStream {
            provider.rx.requestWithProgress(target)
        }

        func progress(
            of target: Service, from provider: Provider, on queue: DispatchQueue
        ) -> any ProgressStream {
            provider.rx.requestWithProgress(target, callbackQueue: queue)
        }
    }

    extension ObservableConvertibleType where Element: Sendable {
        var events: EventStream<Element> {
            EventStream { log in
                asObservable().subscribe(
                    onNext: log.value, onError: log.failed, onCompleted: log.finished
                ).dispose
            }
        }
    }

    extension Observable: ProgressStream where Element == ProgressResponse {
        var firstEvent: EventStream<ProgressResponse> { take(1).events }
        var fractions: EventStream<Double> { filterProgress().events }
    }

    extension Observable: ResponseStream where Element == Response {
        func json<Parsed: Sendable>(_ read: @escaping (Any) -> Parsed) -> EventStream<Parsed> {
            mapJSON().map(read).events
        }
        func json<Parsed: Sendable>(
            failsOnEmptyData: Bool, _ read: @escaping (Any) -> Parsed
        ) -> EventStream<Parsed> {
            mapJSON(failsOnEmptyData: failsOnEmptyData).map(read).events
        }
        func string() -> EventStream<String> { mapString().events }
        func string(atKeyPath keyPath: String) -> EventStream<String> {
            mapString(atKeyPath: keyPath).events
        }
        func object<Object: DecodableValue>(_ type: Object.Type) -> EventStream<Object> {
            map(type).events
        }
        func decode<Object: DecodableValue>(
            _ type: Object.Type, atKeyPath keyPath: String?, using decoder: JSONDecoder,
            failsOnEmptyData: Bool
        ) -> EventStream<Object> {
            map(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData).events
        }
        #if !canImport(UIKit) && !canImport(AppKit)
            func image() -> EventStream<Data> { mapImage().events }
        #endif
    }

    extension PrimitiveSequence: ResponseStream where Trait == SingleTrait, Element == Response {
        func json<Parsed: Sendable>(_ read: @escaping (Any) -> Parsed) -> EventStream<Parsed> {
            mapJSON().map(read).events
        }
        func json<Parsed: Sendable>(
            failsOnEmptyData: Bool, _ read: @escaping (Any) -> Parsed
        ) -> EventStream<Parsed> {
            mapJSON(failsOnEmptyData: failsOnEmptyData).map(read).events
        }
        func string() -> EventStream<String> { mapString().events }
        func string(atKeyPath keyPath: String) -> EventStream<String> {
            mapString(atKeyPath: keyPath).events
        }
        func object<Object: DecodableValue>(_ type: Object.Type) -> EventStream<Object> {
            map(type).events
        }
        func decode<Object: DecodableValue>(
            _ type: Object.Type, atKeyPath keyPath: String?, using decoder: JSONDecoder,
            failsOnEmptyData: Bool
        ) -> EventStream<Object> {
            map(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData).events
        }
        #if !canImport(UIKit) && !canImport(AppKit)
            func image() -> EventStream<Data> { mapImage().events }
        #endif
    }

    #if !canImport(UIKit) && !canImport(AppKit)
        extension ObservableType where Element == Response {
            fileprivate func mapImage() -> Observable<Data> { map(\.data) }
        }

        extension PrimitiveSequence where Trait == SingleTrait, Element == Response {
            fileprivate func mapImage() -> Single<Data> { map(\.data) }
        }
    #endif
#endif
