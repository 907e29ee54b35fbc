"""Editor: yaml-language-server over its standard streams, as an editor talks to it.

It writes a configuration in block style as somebody does who takes what is offered: each key is
looked for in the completions of its place, and so is each value that is one of a list of words.
Names, numbers and addresses are typed. What was not offered is kept.
"""

import json
import pathlib
import subprocess
import types

_URI = "file:///sluice.yaml"
_SETTINGS = {"validate": True, "completion": True, "schemaStore": {"enable": False}}


class Editor:
    def __init__(self, server: pathlib.Path, schema: pathlib.Path):
        self._process = subprocess.Popen(["node", str(server), "--stdio"], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE)
        self._number = 0
        self._version = 0
        self._underlined: list[str] | None = None
        self.text = f"# yaml-language-server: $schema=file://{schema}\n"
        self.not_offered: list[str] = []
        self._ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self._tell("initialized", {})
        self._tell("textDocument/didOpen", {"textDocument": {
            "uri": _URI, "languageId": "yaml", "version": 0, "text": self.text}})

    def __enter__(self) -> "Editor":
        return self

    def __exit__(self, kind: type | None, error: BaseException | None,
                 trace: types.TracebackType | None) -> None:
        self._process.terminate()
        self._process.wait()

    def write(self, value: dict | list, schema: dict) -> None:
        self._write(value, schema, 0, "")

    def underlined(self) -> list[str]:
        """As faults, once it has looked at the whole text."""
        self._change(self.text)
        self._underlined = None
        while self._underlined is None:
            self._receive()
        return self._underlined

    # --- the protocol

    def _send(self, message: dict) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()

    def _tell(self, method: str, params: dict) -> None:
        self._send({"method": method, "params": params})

    def _ask(self, method: str, params: dict) -> dict:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while True:
            message = self._receive()
            if message.get("id") == self._number and "method" not in message:
                return message["result"]

    def _receive(self) -> dict:
        length = 0
        while line := self._process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        assert length, "the language server ended"
        message = json.loads(self._process.stdout.read(length))
        method, params = message.get("method"), message.get("params")
        if method == "workspace/configuration":
            self._send({"id": message["id"], "result": [
                _SETTINGS if item.get("section") == "yaml" else {} for item in params["items"]]})
        elif method and "id" in message:
            self._send({"id": message["id"], "result": None})
        elif method == "textDocument/publishDiagnostics":
            self._underlined = [each["message"] for each in params["diagnostics"]]
        return message

    # --- writing

    def _change(self, text: str) -> None:
        self.text = text
        self._version += 1
        self._tell("textDocument/didChange", {
            "textDocument": {"uri": _URI, "version": self._version},
            "contentChanges": [{"text": text}]})

    def _type(self, text: str) -> None:
        self._change(self.text + text)

    def _takes(self, words: set[str], what: str) -> None:
        """At the end of the text, one of them."""
        lines = self.text.split("\n")
        answer = self._ask("textDocument/completion", {
            "textDocument": {"uri": _URI},
            "position": {"line": len(lines) - 1, "character": len(lines[-1])}})
        if not words & {item["label"] for item in answer["items"]}:
            self.not_offered.append(what)

    def _write(self, value: dict | list, schema: dict, indent: int, place: str) -> None:
        if isinstance(value, list):
            for each in value:
                self._type(" " * indent + "- ")
                if isinstance(each, dict):
                    self._write(each, _items(schema), indent + 2, place + "[]")
                else:
                    self._value(each, _items(schema), place + "[]")
            return
        for key, inner in value.items():
            if not self.text.endswith("- "):
                self._type(" " * indent)
            known = schema.get("properties", {})
            if known:
                self._takes({str(key)}, f"{place}.{key}")
            self._type(f"{key}:")
            below = known.get(key) or schema.get("additionalProperties") or {}
            if isinstance(inner, (dict, list)) and inner:
                self._type("\n")
                self._write(inner, below, indent + 2, f"{place}.{key}")
            else:
                self._type(" ")
                self._value(inner, below, f"{place}.{key}")

    def _value(self, value: object, schema: dict, place: str) -> None:
        said = json.dumps(value)
        if "enum" in schema or "boolean" in schema.get("type", ()):
            self._takes({said.strip('"')}, f"{place}: {said}")
        elif begun := {str(each) for each in (*schema.get("examples", ()), schema.get("default"))
                       if each is not None}:
            self._takes(begun, f"{place}: any of {begun}")
        self._type(said + "\n")


def _items(schema: dict) -> dict:
    """Of a list's schema, which may stand beside that of one item."""
    lists = [schema, *schema.get("anyOf", ())]
    return next(each["items"] for each in lists if "items" in each)
