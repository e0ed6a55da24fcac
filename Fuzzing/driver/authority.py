"""A self-signed certificate for 127.0.0.1, made with the openssl command."""

import os
import ssl
import subprocess


class Authority:
    def __init__(self, folder):
        self.certificate = os.path.join(folder, "certificate.pem")
        self.key = os.path.join(folder, "key.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", self.key,
             "-out", self.certificate], check=True, capture_output=True)

    def context(self, protocols):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        context.set_alpn_protocols(protocols)
        return context
