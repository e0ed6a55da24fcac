"""nginx and nghttpd on 127.0.0.1, as context managers."""

import json
import os
import shutil
import socket
import subprocess
import tempfile
import time


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, name):
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise SystemExit(f"{name} does not listen")


class Nginx:
    """nginx with HTTP/1.1 without TLS, and HTTP/2 over TLS."""

    def __init__(self, large_bytes, origins=0):
        # In memory if there is room: nginx writes uploads to files, and a slow disk would dominate.
        memory = "/dev/shm"
        has_room = os.path.isdir(memory) and shutil.disk_usage(memory).free > 4 * large_bytes
        self.folder = tempfile.mkdtemp(prefix="bench-", dir=memory if has_room else None)
        self.ca = os.path.join(self.folder, "cert.pem")
        self.large = os.path.join(self.folder, "www", "large")
        self.process = None
        self._large_bytes = large_bytes
        # Below the range of ephemeral ports.
        self.first_port, self._origins = 20000, origins

    def __enter__(self):
        # If root starts nginx, its workers run as another user.
        os.chmod(self.folder, 0o755)
        os.mkdir(os.path.join(self.folder, "www"))
        with open(os.path.join(self.folder, "www", "small.json"), "w") as file:
            items = [{"id": number, "name": f"item {number}", "price": number * 3.5} for number in range(40)]
            file.write(json.dumps(items)[:1023] + "\n")
        if self._large_bytes:
            with open(self.large, "wb") as file:
                piece = os.urandom(1 << 20)
                for _ in range(self._large_bytes >> 20):
                    file.write(piece)
        self._make_certificate()
        self.port, self.secure_port = free_port(), free_port()
        self._write_configuration()
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        self.process = subprocess.Popen(
            [program, "-p", self.folder, "-c", "nginx.conf", "-e", "error.log"], stderr=subprocess.DEVNULL)
        wait_for(self.secure_port, "nginx")
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.terminate()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, name, secure=False):
        scheme, port = ("https", self.secure_port) if secure else ("http", self.port)
        return f"{scheme}://127.0.0.1:{port}/{name}"

    def origins_url(self, name):
        """Returns the URL of the first origin. The others use the following ports."""
        return f"http://127.0.0.1:{self.first_port}/{name}"

    def _make_certificate(self):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
             "-keyout", "key.pem", "-out", "cert.pem", "-days", "2", "-subj", "/CN=bench",
             "-addext", "subjectAltName=IP:127.0.0.1"],
            cwd=self.folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def _write_configuration(self):
        temporary = " ".join(
            f"{kind}_temp_path {self.folder}/{kind};" for kind in
            ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        many = f"listen 127.0.0.1:{self.first_port}-{self.first_port + self._origins - 1};" if self._origins else ""
        with open(os.path.join(self.folder, "nginx.conf"), "w") as file:
            file.write(f"""
                daemon off; pid {self.folder}/pid; worker_processes 1; worker_rlimit_nofile 65536;
                events {{ worker_connections 16384; }}
                http {{
                    access_log off; {temporary} default_type application/json; sendfile on;
                    keepalive_requests 1000000000; keepalive_timeout 600; client_max_body_size 0;
                    http2_max_concurrent_streams 256;
                    root {self.folder}/www;
                    server {{
                        listen 127.0.0.1:{self.port} backlog=16384; {many}
                        location = /unstored {{ add_header Cache-Control no-store; alias {self.folder}/www/small.json; }}
                        location /upload {{
                            # Buffering makes nginx take the whole body before it answers.
                            client_body_buffer_size 256k; proxy_request_buffering on; proxy_pass http://127.0.0.1:{self.port}/sink;
                        }}
                        location /sink {{ return 200 "taken"; }}
                    }}
                    server {{
                        listen 127.0.0.1:{self.secure_port} ssl http2 backlog=16384;
                        ssl_certificate {self.folder}/cert.pem; ssl_certificate_key {self.folder}/key.pem;
                    }}
                }}
            """)


class Nghttpd:
    """nghttpd with HTTP/2 over TLS, with the files and the certificate of an `Nginx`."""

    program = shutil.which("nghttpd")

    def __init__(self, nginx):
        self.port = free_port()
        self.process = subprocess.Popen(
            [self.program, "-a", "127.0.0.1", "-d", os.path.join(nginx.folder, "www"), "-m", "256", str(self.port),
             os.path.join(nginx.folder, "key.pem"), nginx.ca],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self):
        wait_for(self.port, "nghttpd")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def url(self, name):
        return f"https://127.0.0.1:{self.port}/{name}"
