// MoyaCombine under Moya's module name.
@_exported import MoyaCombine
