// MoyaCombine by the name that Moya gives it.
@_exported import MoyaCombine
