// MoyaReactiveSwift under Moya's module name.
@_exported import MoyaReactiveSwift
