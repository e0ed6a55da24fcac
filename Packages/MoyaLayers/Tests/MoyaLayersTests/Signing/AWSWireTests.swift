#if os(macOS) || os(Linux)
    import Foundation
    import MoyaCore
    import MoyaLayers
    import MoyaTestSupport
    import MoyaTransportCurl
    import MoyaTransportFoundation
    import Testing

    /// A server that verifies signatures with botocore, by the request target as it was sent.
    private struct VerifyingServer {
        let program: Program
        let url: URL

        private static let script = """
            import hashlib, hmac, http.server, os
            from urllib.parse import parse_qs, urlsplit
            from botocore.auth import S3SigV4Auth, S3SigV4QueryAuth, SigV4Auth, SigV4QueryAuth
            from botocore.awsrequest import AWSRequest
            from botocore.credentials import Credentials

            class Handler(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    query = parse_qs(urlsplit(self.path).query)
                    if "X-Amz-Signature" in query:
                        scope = query["X-Amz-Credential"][0].split("/")
                        names = query["X-Amz-SignedHeaders"][0].split(";")
                        proof = query["X-Amz-Signature"][0]
                        time = query["X-Amz-Date"][0]
                        path = self.path.split("&X-Amz-Signature=")[0]
                        kinds = SigV4QueryAuth, S3SigV4QueryAuth
                    else:
                        fields = self.headers["Authorization"]
                        scope = fields.split("Credential=")[1].split(",")[0].split("/")
                        names = fields.split("SignedHeaders=")[1].split(",")[0].split(";")
                        proof = fields.split("Signature=")[1]
                        time, path = self.headers["X-Amz-Date"], self.path
                        kinds = SigV4Auth, S3SigV4Auth
                    signed = {name: self.headers[name] for name in names}
                    request = AWSRequest(self.command, "http://h" + path, headers=signed)
                    request.context["timestamp"] = time
                    auth = kinds[scope[3] == "s3"](Credentials("id", "key"), scope[3], scope[2])
                    text = auth.string_to_sign(request, auth.canonical_request(request))
                    valid = proof == auth.signature(text, request)
                    if (self.headers["Content-Encoding"] or "").startswith("aws-chunked"):
                        valid = valid and self.has_valid_chunks(time, scope, proof)
                    self.answer(valid)

                do_PUT = do_GET

                # botocore does not sign in chunks, so this follows the documentation of S3.
                def has_valid_chunks(self, time, scope, last):
                    key = b"AWS4key"
                    for part in scope[1:]:
                        key = hmac.digest(key, part.encode(), "sha256")
                    left = int(self.headers["Content-Length"])
                    body = b""
                    while True:
                        head = self.rfile.readline()
                        size = int(head.split(b";")[0], 16)
                        chunk = self.rfile.read(size)
                        left -= len(head) + size + len(self.rfile.read(2))
                        text = "\\n".join([
                            "AWS4-HMAC-SHA256-PAYLOAD", time, "/".join(scope[1:]), last,
                            hashlib.sha256(b"").hexdigest(), hashlib.sha256(chunk).hexdigest()])
                        last = hmac.digest(key, text.encode(), "sha256").hex()
                        if head.decode().strip().split("chunk-signature=")[1] != last:
                            return False
                        body += chunk
                        if size == 0:
                            length = int(self.headers["X-Amz-Decoded-Content-Length"])
                            return left == 0 and len(body) == length

                def answer(self, valid):
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

        @Test(arguments: ["s3", "execute-api"])
        func `botocore accepts the signature of a presigned URL`(service: String) async throws {
            let server = try VerifyingServer()
            let signer = AWSSigner(service: service, region: "us-east-1") {
                AWSCredentials(accessKeyID: "id", secretAccessKey: "key", sessionToken: "a+/=")
            }
            for target in ["/b/a b.txt?x=1&acl", "/", "/?X-Amz-Date=1&X-Amz-Signature=2"] {
                for fields in [[:], ["X-Amz-Meta-Name": "a  b", "Content-Type": "text/plain"]] {
                    let address =
                        server.url.absoluteString
                        + target.replacingOccurrences(of: " ", with: "%20")
                    var request = TransportRequest.test("PUT", address, headers: fields)
                    request.urlRequest.url = try await signer.presignedURL(
                        for: request.urlRequest, expiresIn: 60)
                    let response = try await CurlTransport().send(request)
                    #expect(response.head.statusCode == 200, "\(target)")
                }
            }
        }

        @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000])
        func `a streamed body to S3 is signed in chunks`(size: Int) async throws {
            let server = try VerifyingServer()
            let signer = AWSSigner(service: "s3", region: "us-east-1") {
                AWSCredentials(accessKeyID: "id", secretAccessKey: "key")
            }
            let body = RequestBodyStream(length: Int64(size)) {
                AsyncStream { pieces in
                    var left = size
                    while left > 0 {
                        let piece = min(left, 50_000)
                        pieces.yield(Data(repeating: UInt8(left % 251), count: piece))
                        left -= piece
                    }
                    pieces.finish()
                }
            }
            for transport: any Transport in [CurlTransport(), FoundationTransport()] {
                let response = try await transport.signing(with: signer).send(
                    .test(
                        "PUT", server.url.absoluteString + "/b/k",
                        headers: ["Content-Type": "text/plain"], body: .stream(body)))
                #expect(response.head.statusCode == 200)
            }
        }
    }
#endif
