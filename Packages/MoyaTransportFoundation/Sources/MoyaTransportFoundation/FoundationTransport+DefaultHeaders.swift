extension FoundationTransport {
    /// `Accept-Language` and `User-Agent` as Alamofire makes them, and `Accept-Encoding` on Apple platforms.
    ///
    /// On Linux URLSession itself says which codings its libcurl can undo, and only those may be asked for.
    public static let defaultHeaders = DefaultHeaders.all
}
