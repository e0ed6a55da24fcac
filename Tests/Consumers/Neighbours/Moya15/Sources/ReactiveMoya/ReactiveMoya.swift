import Moya

public typealias ReactiveProvider = MoyaProvider
