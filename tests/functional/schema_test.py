"""The JSON Schema of the configuration (`sluice schema`) against what `sluice check` says: it takes
what that takes, and finds what a schema can find, at the same place."""

import json
import pathlib
import re

import jsonschema
import pytest
import yaml

from bad_input_test import FAULTY
from switch import sluice

SOURCE = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = sorted(SOURCE.glob("config/examples/*.yaml"))
CORPUS = sorted(SOURCE.glob("tests/fuzz/corpus/config/*"))


class Core(yaml.SafeLoader):
    """YAML 1.2, as an editor's language server reads it: 1.1 would take `off` for a truth."""


Core.yaml_implicit_resolvers = {}
for tag, pattern, first in [
        ("null", r"~|null|", ["~", "n", ""]), ("bool", "true|false", list("tf")),
        ("int", r"[-+]?[0-9]+|0x[0-9a-fA-F]+", list("-+0123456789")),
        ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", list("-+.0123456789"))]:
    Core.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), first)


def as_json(value):
    """Keys are texts there."""
    if isinstance(value, dict):
        return {str(key): as_json(item) for key, item in value.items()}
    return [as_json(item) for item in value] if isinstance(value, list) else value


@pytest.fixture(scope="module")
def validator():
    schema = json.loads(sluice("schema").stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def dotted(path) -> str:
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return re.sub("[\0-\x1f]", lambda found: f"\\x{ord(found[0]):02X}", text)


def places(validator, text: str) -> set[str]:
    """Where it finds faults, by `check`'s names for them."""
    found = set()
    for error in validator.iter_errors(as_json(yaml.load(text, Core))):
        path = list(error.absolute_path)
        if error.validator == "required":
            found |= {dotted([*path, key]) for key in error.validator_value
                      if key not in error.instance}
        elif error.validator == "additionalProperties":
            found |= {dotted([*path, key]) for key in error.instance
                      if key not in error.schema["properties"]}
        elif error.validator == "propertyNames":
            found.add(dotted([*path, error.instance]))
        else:
            found.add(dotted(path))
    return found


def faults(folder: pathlib.Path, text: str) -> list[dict]:
    file = folder / "it.yaml"
    file.write_text(text)
    return json.loads(sluice("check", str(file), "--json", check=False).stdout)["faults"]


def test_defaults_and_examples_are_right_by_it(validator):
    """Editors write them."""
    def offers(schema: dict):
        if "default" in schema:
            yield schema, schema["default"]
        yield from ((schema, value) for value in schema.get("examples", ()))
        below = [*schema.get("properties", {}).values(), *schema.get("anyOf", ()),
                 schema.get("items"), schema.get("additionalProperties")]
        for inner in below:
            if isinstance(inner, dict):
                yield from offers(inner)

    all_offers = list(offers(validator.schema))
    assert len(all_offers) > 100
    assert {"300s", "af_packet:INTERFACE", "vxlan:UNDERLAY/VNI", "null:", True} <= {value for _, value in all_offers}
    for schema, value in all_offers:
        jsonschema.Draft7Validator(schema).validate(value)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_every_example_is_right_by_it(validator, path):
    assert places(validator, path.read_text()) == set()


def test_what_check_takes_it_takes(validator, tmp_path):
    taken = 0
    for path in CORPUS:
        try:
            text = path.read_text()
            yaml.load(text, Core)
        except (UnicodeDecodeError, yaml.YAMLError):
            continue
        if not faults(tmp_path, text):
            assert places(validator, text) == set(), path
            taken += 1
    assert taken > 3


# What a schema can see: kinds of values, keys, bounds of numbers without a unit, lengths of lists.
SEEN = re.compile(r"is not a known key|is missing|is a (list|map)|is the word|is not one of|"
                  r"is neither true nor false|is no scheme|has no scheme|has no value|"
                  r"is not (a|an) |has \d+ items?$")


def seen(fault: dict) -> bool:
    out_of_range = re.match(r'"-?\d+" is out of range', fault["message"])
    return bool(out_of_range or SEEN.search(fault["message"])) and fault["path"] != "file"


def test_it_finds_what_a_schema_can_find(validator, tmp_path):
    checked = 0
    for text in [FAULTY, *(path.read_bytes().decode("utf-8", "replace") for path in CORPUS)]:
        try:
            value = yaml.load(text, Core)
        except yaml.YAMLError:
            continue
        if not isinstance(value, dict) or "<<" in text or "!" in text or "*" in text:
            continue
        found = places(validator, text)
        missed = [fault for fault in faults(tmp_path, text) if seen(fault)
                  and not any(fault["path"] == place or fault["path"].startswith(place + ".")
                              or fault["path"].startswith(place + "[") for place in found)]
        assert missed == [], text
        checked += len(found)
    assert checked > 20


def keys_of(schema: dict, path=()):
    """Every key of a map: where it is, and what it may hold."""
    for name, inner in schema.get("properties", {}).items():
        yield (*path, name), inner
        yield from keys_of(inner, (*path, name))
        items = inner.get("items", {})
        yield from keys_of(items, (*path, name, 0))


def holding(path: tuple, value):
    """The value at a place, and nothing else."""
    for step in reversed(path):
        value = [value] if step == 0 else {step: value}
    return value


def test_a_wrong_value_of_each_key_is_refused_by_both(validator, tmp_path):
    tried = 0
    for path, inner in keys_of(validator.schema):
        wrong = 5 if "object" in inner.get("type", ()) else {"a": 1}
        text = json.dumps({"ports": [{"device": "ring:a"}], **holding(path, wrong)})
        if path[0] == "defaults":
            continue  # the keys of ports again
        tried += 1
        assert dotted(path) in places(validator, text), text
        assert dotted(path) in [fault["path"] for fault in faults(tmp_path, text)], text
    assert tried > 100


def test_vlans_say_in_one_message_what_they_want(tmp_path):
    told = {text: [(fault["path"], fault["remedy"]) for fault in faults(
        tmp_path, f"ports: [{{device: ring:a}}]\nvlans: {text}\n")] for text in ("[10]", "{10: [p0]}")}
    a_vlan = "a map with id and ports"
    assert told["[10]"] == [("vlans[0]", f"write {a_vlan}")]
    assert told["{10: [p0]}"] == [("vlans", f"write a list of 1 to 4094 VLANs, each {a_vlan}")]
