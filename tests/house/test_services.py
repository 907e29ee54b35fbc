"""Control is a list of services, and a daemon that knows little."""

import re

import tree

MEMBERS = 15
METHODS = 19


def statements(header, name):
    """The declarations in the body of a class, without comments and bodies."""
    text = re.sub(r"//[^\n]*", "", tree.text(header))
    body = re.search(rf"\nclass {name}\b[^;{{]*{{(.*?)\n}};", text, re.DOTALL).group(1)
    body = re.sub(r"\bstruct \w+ {[^{}]*};", "", body)
    while re.search(r"{[^{}]*}", body):
        body = re.sub(r"(\)[\w ]*){[^{}]*}", r"\1;", body)
        body = re.sub(r"{[^{}]*}", "", body)
    while re.search(r"<[^<>]*>", body):
        body = re.sub(r"<[^<>]*>", "", body)
    body = re.sub(r"\b(public|private|protected):", "", body)
    return [" ".join(statement.split()) for statement in body.split(";") if statement.strip()]


def members_and_methods(header, name):
    kept = [one for one in statements(header, name)
            if not one.startswith(("using ", "friend ", "static constexpr "))
            and "= delete" not in one]
    members = [one for one in kept if "(" not in one.split("=")[0]]
    return members, [one for one in kept if one not in members]


def test_what_is_counted_is_what_is_there():
    members, methods = members_and_methods("control/service_list.h", "ServiceList")
    assert [one.split("=")[0].split()[-1] for one in members] == [
        "clock_", "services_", "owned_", "loop_", "sources_", "own_periods_"]
    assert sum("add(" in one for one in methods) == 3
    assert len(methods) == 16


def test_the_daemon_does_not_grow():
    """Both numbers may only fall: what is new has a place among the services."""
    members, methods = members_and_methods("control/daemon/daemon.h", "Daemon")
    assert len(members) <= MEMBERS, members
    assert len(methods) <= METHODS, methods


def test_nothing_of_control_includes_the_daemon():
    for path in tree.sources():
        if path.parts[0] != "control" or path.parts[1] in {"daemon", "main.cc"}:
            continue
        upward = [name for name in tree.includes(path)[0] if name.startswith("control/daemon/")]
        assert not upward, f"{path} includes {upward}"
