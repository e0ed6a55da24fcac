@_exported import MoyaStubs
