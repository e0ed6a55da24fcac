"""A server that parses multipart forms with independent parsers and reports the parts.

Prints its port. GET / responds with the names of the installed parsers,
POST /<parser> with a JSON list of the parts: name, filename, type, size and CRC-32.
"""
import gzip
import io
import json
import os
import zlib
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def part(name, filename, content_type, data):
    return {"name": name, "filename": filename, "type": content_type, "size": len(data),
            "crc32": zlib.crc32(data)}


def text(value):
    return None if value is None else value.decode()


def read_email(content_type, body):
    head = f"Content-Type: {content_type}\r\n\r\n".encode()
    yield from email_parts(BytesParser().parsebytes(head + body))


def email_parts(message):
    """The parts of a message, each followed by its nested parts."""
    for value in message.get_payload():
        fields = dict(value.raw_items())
        # The email package rejects non-ASCII bytes, but not non-ASCII characters.
        disposition = fields.get("Content-Disposition", "").encode("ascii", "surrogateescape").decode("latin-1")
        del value["Content-Disposition"]
        value["Content-Disposition"] = disposition
        name, filename = [
            found.encode("latin-1").decode() if isinstance(found, str) else None
            for found in (value.get_param(key, header="Content-Disposition") for key in ("name", "filename"))]
        if value.is_multipart():
            yield part(name, filename, value.get_content_type(), b"")
            yield from email_parts(value)
        else:
            yield part(name, filename, fields.get("Content-Type"), value.get_payload(decode=True) or b"")


def python_multipart():
    """The package by its current name, or by its old name, which now belongs to another package."""
    try:
        import python_multipart.multipart as module
    except ImportError:
        import multipart.multipart as module
    return module.MultipartParser, module.parse_options_header


def read_python_multipart(content_type, body):
    parser, parse_options_header = python_multipart()
    _, options = parse_options_header(content_type)
    parts, state = [], {}

    def begin():
        state.update(headers={}, field=b"", value=b"", data=bytearray())

    def end_of_header():
        state["headers"][state["field"].lower()] = state["value"]
        state.update(field=b"", value=b"")

    def end():
        headers = state["headers"]
        _, values = parse_options_header(headers[b"content-disposition"])
        parts.append(part(text(values.get(b"name")), text(values.get(b"filename")),
                          text(headers.get(b"content-type")), bytes(state["data"])))

    reader = parser(options[b"boundary"], {
        "on_part_begin": begin,
        "on_header_field": lambda data, a, b: state.update(field=state["field"] + data[a:b]),
        "on_header_value": lambda data, a, b: state.update(value=state["value"] + data[a:b]),
        "on_header_end": end_of_header,
        "on_part_data": lambda data, a, b: state["data"].extend(data[a:b]),
        "on_part_end": end,
    })
    reader.write(body)
    reader.finalize()
    return parts


def read_werkzeug(content_type, body):
    from werkzeug.http import parse_options_header
    from werkzeug.sansio import multipart
    decoder = multipart.MultipartDecoder(parse_options_header(content_type)[1]["boundary"].encode())
    decoder.receive_data(body)
    decoder.receive_data(None)
    head, data = None, b""
    while True:
        event = decoder.next_event()
        if isinstance(event, (multipart.Field, multipart.File)):
            head, data = event, b""
        elif isinstance(event, multipart.Data):
            data += event.data
            if not event.more_data:
                yield part(head.name, getattr(head, "filename", None), head.headers.get("Content-Type"), data)
        elif isinstance(event, multipart.Epilogue):
            return


def read_django(content_type, body):
    import django
    from django.conf import settings
    if not settings.configured:
        settings.configure(LOGGING_CONFIG=None, DATA_UPLOAD_MAX_MEMORY_SIZE=None, DATA_UPLOAD_MAX_NUMBER_FIELDS=None,
                           DATA_UPLOAD_MAX_NUMBER_FILES=None)
        django.setup()
    from django.core.files.uploadhandler import MemoryFileUploadHandler
    from django.http.multipartparser import MultiPartParser

    class Parser(MultiPartParser):
        def sanitize_file_name(self, file_name):
            return file_name

    class Handler(MemoryFileUploadHandler):
        """Keeps the file names as they were sent."""
        def new_file(self, field_name, file_name, content_type, content_length, charset, *more):
            content_type = f"{content_type}; charset={charset.decode()}" if charset else content_type
            self.seen = file_name, content_type or None
            self.kept = bytearray()

        def receive_data_chunk(self, data, start):
            self.kept += data

        def file_complete(self, size):
            file = io.BytesIO(self.kept)
            file.seen = self.seen
            return file

    meta = {"CONTENT_TYPE": content_type, "CONTENT_LENGTH": str(len(body))}
    fields, files = Parser(meta, io.BytesIO(body), [Handler()]).parse()
    for name, values in fields.lists():
        for value in values:
            yield part(name, None, None, value.encode())
    for name, values in files.lists():
        for value in values:
            yield part(name, value.seen[0], value.seen[1], value.getvalue())


READERS = {"email": (read_email, lambda: None), "python-multipart": (read_python_multipart, python_multipart),
           "werkzeug": (read_werkzeug, lambda: __import__("werkzeug")),
           "django": (read_django, lambda: __import__("django"))}


def installed():
    for name, (_, find) in READERS.items():
        try:
            find()
            yield name
        except ImportError:
            pass


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *arguments):
        pass

    def body(self):
        data = self.plain_body()
        coding = self.headers.get("Content-Encoding")
        return {"gzip": gzip.decompress, "deflate": zlib.decompress}[coding](data) if coding else data

    def plain_body(self):
        if "Content-Length" in self.headers:
            return self.rfile.read(int(self.headers["Content-Length"]))
        data = b""
        while True:
            size = int(self.rfile.readline().split(b";")[0], 16)
            data += self.rfile.read(size)
            self.rfile.readline()
            if size == 0:
                return data

    def answer(self, status, value):
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        self.answer(200, list(installed()))

    def do_POST(self):
        body = self.body()
        try:
            read, _ = READERS[self.path[1:]]
            self.answer(200, list(read(self.headers["Content-Type"], body)))
        except Exception as error:
            self.answer(500, repr(error))


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
os.close(1)
server.serve_forever()
