// MoyaRxSwift under Moya's module name.
@_exported import MoyaRxSwift
