import Moya

public typealias CombineProvider = MoyaProvider
