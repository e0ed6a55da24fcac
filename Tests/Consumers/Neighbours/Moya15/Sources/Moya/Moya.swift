public struct MoyaProvider {
    public init() {}
    public func request() -> String { "answered by Moya 15" }
}
