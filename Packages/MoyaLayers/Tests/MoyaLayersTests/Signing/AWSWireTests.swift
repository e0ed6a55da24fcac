#if os(macOS) || os(Linux)
    import Foundation
    import MoyaCore
    import MoyaLayers
    import MoyaTestSupport
    import MoyaTransportCurl
    import Testing

    /// A server that verifies signatures with botocore, by the request target as it was sent.
    private struct VerifyingServer {
        let program: Program
        let url: URL

        private static let script = """
            import http.server, os
            from botocore.auth import S3SigV4Auth, SigV4Auth
            from botocore.awsrequest import AWSRequest
            from botocore.credentials import Credentials

            class Handler(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    proof = self.headers["Authorization"]
                    names = proof.split("SignedHeaders=")[1].split(",")[0].split(";")
                    scope = proof.split("Credential=")[1].split(",")[0].split("/")
                    signed = {name: self.headers[name] for name in names}
                    request = AWSRequest("GET", "http://h" + self.path, headers=signed)
                    request.context["timestamp"] = self.headers["X-Amz-Date"]
                    kind = S3SigV4Auth if scope[3] == "s3" else SigV4Auth
                    auth = kind(Credentials("id", "key"), scope[3], scope[2])
                    text = auth.string_to_sign(request, auth.canonical_request(request))
                    valid = proof.endswith("Signature=" + auth.signature(text, request))
                    body = self.path.encode()
                    self.send_response(200 if valid else 403)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

                def log_message(self, *arguments): pass

            server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
            print(server.server_port, flush=True)
            os.close(1)
            server.serve_forever()
            """

        init() throws {
            let output = Pipe()
            program = try Python.run(["-c", Self.script], output: output)
            let said = String(
                decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            let port = try #require(Int(said.trimmingCharacters(in: .whitespacesAndNewlines)))
            url = MoyaTestSupport.url("http://127.0.0.1:\(port)")
        }
    }

    @Suite(.timeLimit(.minutes(3)), .requires(.python("botocore.auth", from: "botocore")))
    struct AWSWireTests {
        @Test(arguments: ["s3", "execute-api"])
        func `botocore accepts the signature of the request target as it was sent`(service: String)
            async throws
        {
            let server = try VerifyingServer()
            let signer = AWSSigner(service: service, region: "us-east-1") {
                AWSCredentials(accessKeyID: "id", secretAccessKey: "key")
            }
            let transport = CurlTransport().signing(with: signer)
            for (target, sent) in [
                ("/?list-type=2&prefix=dir/", "/?list-type=2&prefix=dir%2F"),
                ("/?prefix=a%20b!'()*~&d=%2f", "/?d=%2F&prefix=a%20b%21%27%28%29%2A~"),
                ("/?b=1&a=%41&c=@:,$+;", "/?a=A&b=1&c=%40%3A%2C%24%2B%3B"),
                ("/?acl", "/?acl="), ("/?x=%E9&y=%C3%A9", "/?x=%E9&y=%C3%A9"), ("/?", "/?"),
                ("/bucket", "/bucket"), ("/?a=1&a=0&A=2", "/?A=2&a=0&a=1"),
            ] {
                let response = try await transport.send(
                    .test("GET", server.url.absoluteString + target))
                #expect(response.head.statusCode == 200, "\(target)")
                #expect(response.text == sent)
            }
        }

        @Test func `botocore accepts the signature of an S3 key with reserved characters`()
            async throws
        {
            let server = try VerifyingServer()
            let signer = AWSSigner(service: "s3", region: "us-east-1") {
                AWSCredentials(accessKeyID: "id", secretAccessKey: "key")
            }
            let transport = CurlTransport().signing(with: signer)
            let response = try await transport.send(
                .test("GET", server.url.absoluteString + "/b//a!(1)+%41%2f@x%20=;~?acl"))
            #expect(response.head.statusCode == 200)
            #expect(response.text == "/b//a%21%281%29%2BA%2F%40x%20%3D%3B~?acl=")
        }
    }
#endif
