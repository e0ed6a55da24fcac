import Foundation
import MoyaCore
import Testing

/// Shapes of messages in which a secret stands beside its name.
@Suite struct SecretShapesTests {
    private func shown(_ body: String) -> String {
        String(decoding: Redaction.default.redact(body: Data(body.utf8)), as: UTF8.self)
    }

    /// RFC 2046, section 5.1.1: text may precede the first boundary, and a part may be a multipart
    /// body itself. RFC 8187: `name*`.
    @Test(arguments: [
        (
            "This is a preamble, token=hush.\r\n\r\n--b\r\nContent-Disposition: form-data; name=\"pin\"\r\n\r\nhush\r\n--b--\r\n",
            "This is a preamble, token=***\r\n\r\n--b\r\nContent-Disposition: form-data; name=\"pin\"\r\n\r\n***\r\n--b--\r\n"
        ),
        (
            "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\nContent-Disposition: attachment; name=\"token\"\r\n\r\nhush\r\n--c--\r\n--b--\r\n",
            "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\nContent-Disposition: attachment; name=\"token\"\r\n\r\n***\r\n--c--\r\n--b--\r\n"
        ),
        (
            "--b\r\nContent-Disposition: form-data; name*=UTF-8''pass%77ord\r\n\r\nhush\r\n--b--\r\n",
            "--b\r\nContent-Disposition: form-data; name*=UTF-8''pass%77ord\r\n\r\n***\r\n--b--\r\n"
        ),
        (
            "--b\r\nX-A: 1\r\nContent-Disposition: form-data; filename=\"a name=b\"; name=pin\r\n\r\nhush\r\n--b--",
            "--b\r\nX-A: 1\r\nContent-Disposition: form-data; filename=\"a name=b\"; name=pin\r\n\r\n***\r\n--b--"
        ),
        (
            "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--b--\r\ntoken=hush",
            "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--b--\r\ntoken=***"
        ),
    ])
    func `a secret in a multipart body is masked`(body: String, expected: String) {
        #expect(shown(body) == expected)
    }

    /// HTML standard, section 9.2.6: the data lines of an event are one text.
    @Test(arguments: [
        (
            "data: {\ndata: \"token\":\ndata: \"hush\"\ndata: }\n\n",
            "data: {\ndata: \"token\":\ndata: \"***\"\ndata: }\n\n"
        ),
        (
            "data: {\"pin\":\r\ndata:1234,\r\ndata:\"a\":1}\r\n\r\n",
            "data: {\"pin\":\r\ndata:0,\r\ndata:\"a\":1}\r\n\r\n"
        ),
        (
            "id: 1\ndata: {\"secret\":[\ndata: \"hush\",\ndata: \"hush\"]}\n",
            "id: 1\ndata: {\"secret\":[\ndata: \"***\",\ndata: \"***\"]}\n"
        ),
        ("data: 1\n\npassword: |\n  hush\n", "data: 1\n\npassword: ***\n  ***\n"),
    ])
    func `a secret in an event with several data lines is masked`(body: String, expected: String) {
        #expect(shown(body) == expected)
    }

    @Test(arguments: [
        (
            #"[{"value":"hush","name":"password"},{"value":1,"name":"size"}]"#,
            #"[{"value":"***","name":"password"},{"value":1,"name":"size"}]"#
        ),
        (
            #"{"name":"password","type":{"a":1},"value":"hush"}"#,
            #"{"name":"password","type":{"a":1},"value":"***"}"#
        ),
        (#"{"id":"api_key","val":["hush",1]}"#, #"{"id":"api_key","val":["***",0]}"#),
        (#"{"k":"pin","v":1234,"a":{"v":1}}"#, #"{"k":"pin","v":0,"a":{"v":1}}"#),
        (
            #"{"value":{"value":"hush","name":"pin"},"name":"token"}"#,
            #"{"value":{"value":"***","name":"***"},"name":"token"}"#
        ),
        (
            #"{"name":"password","label":"Your login","value":"hush"}"#,
            #"{"name":"password","label":"Your login","value":"***"}"#
        ),
        (#"{name: "password", value: "hush"}"#, #"{name: "password", value: "***"}"#),
        (
            "<methodCall><params><member><name>password</name><value><string>hush</string></value></member><member><name>a</name><value>1</value></member></params></methodCall>",
            "<methodCall><params><member><name>password</name><value>***</value></member><member><name>a</name><value>1</value></member></params></methodCall>"
        ),
        ("<item><name>Password policy</name><text>seen</text></item>", nil),
    ])
    func `the value beside the name of a secret is masked`(body: String, expected: String?) {
        #expect(shown(body) == expected ?? body)
    }

    @Test(arguments: [
        (#"{password: "hush", user: 'ash'}"#, #"{password: "***", user: 'ash'}"#),
        ("{user: ash, password: hush, size: 1}", "{user: ash, password: ***, size: 1}"),
        ("{password: ['hush', 1], a: {b: 2}}", "{password: ['***', 0], a: {b: 2}}"),
        ("{password=hush, a=b}", "{password=***, a=b}"),
        ("[INFO] password: hush done", "[INFO] password: *** done"),
        ("map[password:hush user:ash]", "map[password:*** user:ash]"),
        ("{:password=>\"hush\", :a=>1}", "{:password=>\"***\", :a=>1}"),
        ("got token={\"a\": \"hush hush\"} ok", "got token={\"a\": \"***\"} ok"),
    ])
    func `the value of an unquoted name is masked`(body: String, expected: String) {
        #expect(shown(body) == expected)
    }

    /// YAML 1.2, sections 8.1 and 8.2; the folded field of RFC 9112, section 5.2.
    @Test(arguments: [
        (
            "a: 1\npassword: |\n  hush\n\n  hush\nb: 2\n",
            "a: 1\npassword: ***\n  ***\n\n  ***\nb: 2\n"
        ),
        ("password: >-\n  hush hush\nb: 2", "password: ***\n  ***\nb: 2"),
        (
            "credentials:\n  user: hush\n  pin: hush\nb:\n  c: 2",
            "credentials:\n  ***\n  ***\nb:\n  c: 2"
        ),
        ("- password: hush hush\n  user: ash\n", "- password: ***\n  user: ash\n"),
        (
            "Authorization: Bearer\r\n hush\r\nAccept: a\r\n",
            "Authorization: ***\r\n ***\r\nAccept: a\r\n"
        ),
        ("password: \"hush\n  hush\"\nb: 1", "password: ***\n  ***\nb: 1"),
        ("password: hush\n\n  text of a list", "password: ***\n\n  text of a list"),
    ])
    func `the lines of a secret value are masked`(body: String, expected: String) {
        #expect(shown(body) == expected)
    }

    /// curl's manual: `-u`, `--user`, `-H`.
    @Test(arguments: [
        ("curl -u user:hush https://h.test/", "curl -u *** https://h.test/"),
        ("curl --user 'user:hush hush' -v", "curl --user '***' -v"),
        ("$ curl -s -U user:hush --proxy-user a:hush", "$ curl -s -U *** --proxy-user ***"),
        ("curl -H 'Cookie: a=hush; b=hush' -X GET", "curl -H 'Cookie: ***' -X GET"),
        ("curl -H \"X-Api-Key: hush hush\" x", "curl -H \"X-Api-Key: ***\" x"),
        ("login --token hush --password=hush -v", "login --token *** --password=*** -v"),
        ("sort -u names -o list --password -x", nil),
    ])
    func `a secret in a command is masked`(body: String, expected: String?) {
        #expect(shown(body) == expected ?? body)
    }

    @Test(arguments: [
        ("see https://h.test/magic/hush.", "see https://h.test/magic/***."),
        (
            "{\"url\":\"see https://h.test/a;sid=hush?b=1 now\"}",
            "{\"url\":\"see https://h.test/a;sid=***?b=1 now\"}"
        ),
        ("redis://:hush@a.test,redis://:hush@b.test", "redis://***@a.test,redis://***@b.test"),
        (
            "https://h.test/?next=https%3A%2F%2Fb.test%2F%3Ftoken%3Dhush, ok",
            "https://h.test/?next=https%3A%2F%2Fb.test%2F%3Ftoken%3D***, ok"
        ),
        ("https://h.test/?a=%ZZ%26token%3Dhush", "https://h.test/?a=%25ZZ%26token%3D***"),
    ])
    func `a secret of a URL in a text is masked`(body: String, expected: String) {
        #expect(shown(body) == expected)
        #expect(!Redaction.default.redact(body, ofHeader: "X-A").contains("hush"))
    }
}
