import Testing

@testable import MoyaTransportFoundation

@Suite struct DefaultHeadersTests {
    @Test(arguments: [
        ([], ""), (["de"], "de;q=1.0"),
        (["br", "gzip", "deflate"], "br;q=1.0, gzip;q=0.9, deflate;q=0.8"),
        (
            Array(repeating: "x", count: 12),
            "x;q=1.0, x;q=0.9, x;q=0.8, x;q=0.7, x;q=0.6, x;q=0.5, x;q=0.4, x;q=0.3, x;q=0.2, x;q=0.1"
        ),
    ])
    func `values weigh less the later they come, and never nothing`(
        values: [String], expected: String
    ) {
        #expect(DefaultHeaders.preferring(values) == expected)
    }

    @Test(arguments: [
        ("Shop", "Shop"), ("Mein Büro\r\n", "Mein-B-ro--"), ("(x)", "-x-"), ("a/b", "a-b"),
    ])
    func `a name becomes a token, whatever is in it`(name: String, token: String) {
        #expect(DefaultHeaders.token(name) == token)
    }
}
