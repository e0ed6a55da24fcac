import MoyaCore

// The names of this module under the prefix `Moya.`: see `Moya` in MoyaCore.
extension Moya {
    public typealias AccessTokenPlugin = MoyaPlugins.AccessTokenPlugin
    public typealias CredentialsPlugin = MoyaPlugins.CredentialsPlugin
    public typealias NetworkActivityChangeType = MoyaPlugins.NetworkActivityChangeType
    public typealias NetworkActivityPlugin = MoyaPlugins.NetworkActivityPlugin
    public typealias NetworkLoggerPlugin = MoyaPlugins.NetworkLoggerPlugin
}
