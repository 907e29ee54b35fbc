"""What a switch answers over HTTP, asked from inside its namespace."""

import http.client
from typing import Optional

from namespace import Namespace

PORT = 9475
LISTEN = {"listen": f"127.0.0.1:{PORT}"}


class Answer:
    def __init__(self, response: http.client.HTTPResponse):
        self.status = response.status
        self.type = response.headers["Content-Type"]
        self.text = response.read().decode()


def get(namespace: Namespace, path: str, headers: Optional[dict] = None) -> Answer:
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=10)
    with namespace.entered():
        connection.connect()
    try:
        connection.request("GET", path, headers=headers or {})
        return Answer(connection.getresponse())
    finally:
        connection.close()
