@_exported import MoyaConcurrency
@_exported import MoyaCore
@_exported import MoyaMultipart
@_exported import MoyaPlugins
@_exported import MoyaTransportFoundation

#if os(Linux)
    @_exported import MoyaTransportCurl
#endif
