@_exported import MoyaConcurrency
@_exported import MoyaKit
