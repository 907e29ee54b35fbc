"""A configuration written in an editor that reads the schema (`sluice schema`), here by
yaml-language-server: each key and each word of every example is offered where it belongs, nothing
is underlined, and `sluice check` takes what was written as clean as the example."""

import json
import os
import pathlib
import subprocess

import pytest
import yaml

from editor import Editor

_SOURCE = pathlib.Path(__file__).resolve().parents[2]
_BUILD = pathlib.Path(os.environ.get("SLUICE_BUILD", _SOURCE / "build"))
_SERVER = "yaml-language-server@1.15.0"
_EXAMPLES = sorted(_SOURCE.glob("config/examples/*.yaml"))


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("server")
    subprocess.run(["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", _SERVER],
                   check=True, capture_output=True, timeout=300)
    return folder / "node_modules/yaml-language-server/out/server/src/server.js"


@pytest.fixture(scope="module")
def schema(tmp_path_factory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("schema") / "sluice.schema.json"
    path.write_text(_sluice("schema").stdout)
    return path


def _sluice(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run([str(_BUILD / "tools/sluice/sluice"), *words], capture_output=True,
                          text=True)


def _checked(path: pathlib.Path) -> str:
    return _sluice("check", str(path), "--json").stdout.replace(str(path), "FILE")


def _with_vteps(example: dict, vteps: int) -> dict:
    for port in example["ports"]:
        if "remotes" in port:
            port["remotes"] = [f"192.0.2.{2 + number}" for number in range(vteps)]
    return example


@pytest.mark.parametrize("path", _EXAMPLES, ids=lambda path: path.stem)
def test_an_editor_offers_what_the_example_has(server, schema, path, tmp_path):
    wanted = _with_vteps(yaml.safe_load(path.read_text()), 100)
    with Editor(server, schema) as editor:
        editor.write(wanted, json.loads(schema.read_text()))
        assert editor.not_offered == []
        assert editor.underlined() == []
        written = editor.text
    assert yaml.safe_load(written) == wanted
    file = tmp_path / "written.yaml"
    file.write_text(written)
    assert _checked(file) == _checked(path)
