@_exported import MoyaCore
@_exported import MoyaLayers
@_exported import MoyaMultipart
@_exported import MoyaPlugins
@_exported import MoyaStreaming
@_exported import MoyaTransportFoundation

#if os(Linux)
    @_exported import MoyaTransportCurl
#endif
