extension FoundationTransport {
    /// Default header fields: Alamofire's `Accept-Language` and `User-Agent`, and `Accept-Encoding`
    /// on Apple platforms.
    ///
    /// On Linux, URLSession sets `Accept-Encoding` itself, to the codings that its libcurl can
    /// decode.
    public static let defaultHeaders = DefaultHeaders.all
}
