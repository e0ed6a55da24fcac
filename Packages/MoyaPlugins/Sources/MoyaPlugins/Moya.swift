import MoyaCore

// For code that writes `Moya.NetworkLoggerPlugin`.
extension Moya {
    public typealias AccessTokenPlugin = MoyaPlugins.AccessTokenPlugin
    public typealias CredentialsPlugin = MoyaPlugins.CredentialsPlugin
    public typealias NetworkActivityChangeType = MoyaPlugins.NetworkActivityChangeType
    public typealias NetworkActivityPlugin = MoyaPlugins.NetworkActivityPlugin
    public typealias NetworkLoggerPlugin = MoyaPlugins.NetworkLoggerPlugin
}
