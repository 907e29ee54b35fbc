"""Single keys of what runs: set and unset, confirmed or gone back, and saved with the comments."""

import json
import os
import pathlib
import stat
import subprocess
import threading

from lab import Lab
from switch import program
from waiting import until

FILE = """\
# rack 7, to the storage
ports:
  # the left one
  - name: left
    device: "ring:a"   # in this process
    rate: 5G
  - {name: right, device: "null:"}
fabric: {iterations: 3}  # two are too few here
"""


def start(lab: Lab, name: str = "sluice.yaml"):
    """With comments, which a file that a Switch writes has none of."""
    switch = lab.make_switch([])
    control = json.dumps(switch.configuration["control"])
    switch.file.write_text(f"{FILE}lldp: {{enabled: false}}\ncontrol: {control}\n")
    file = switch.file.parent / name
    if file != switch.file:
        file.symlink_to(switch.file)
    switch.process = switch.namespace.start(program("sluiced"), "-c", str(file))
    switch.until_ready()
    return switch


def shown(switch) -> str:
    return switch.command("show", "config").stdout


def test_a_key_is_set_and_the_next_adds_to_it(lab: Lab):
    switch = start(lab)
    said = switch.command("set", "ports.left.rate", "1G").stdout
    assert said.splitlines() == ["ports[left].rate: 5G > 1G",
                                 f"Until a restart; `sluice save` writes it to {switch.file}."]
    switch.command("set", "defaults.pfc.xoff", "128KiB", "defaults.pfc.xon", "64KiB")
    switch.command("unset", "fabric.iterations")
    text = shown(switch)
    assert "rate: 1G" in text and "xon: 64KiB" in text and "fabric" not in text
    assert switch.show("events")[-1]["text"] == "unset fabric.iterations adopted"
    assert "No changes" in switch.command("set", "ports.left.rate", "1G").stdout


def test_a_value_may_begin_with_a_dash(lab: Lab):
    """Options are still those that `set` has, wherever they stand."""
    switch = start(lab)
    for value in ("-spare-", "--to the roof", "-5"):
        said = switch.command("set", "--json", "ports.left.description", value, "fabric.iterations", "2")
        assert json.loads(said.stdout)["ok"]
        assert switch.port("left")["description"] == value
        switch.command("set", "fabric.iterations", "3", "--confirm=60s")
        switch.command("confirm")
    wrong = switch.command("set", "ports.left.mtu", "-1", check=False)
    assert wrong.returncode == 2 and 'ports[0].mtu: "-1"' in wrong.stderr, wrong.stderr
    missing = switch.command("set", "ports.left.mtu", "--json", check=False)
    assert missing.returncode == 2 and "has no VALUE" in missing.stdout, missing.stdout


def test_what_is_wrong_is_said_as_check_says_it_and_changes_nothing(lab: Lab):
    switch = start(lab)
    before = shown(switch)
    for words, line in {
            ("set", "ports.left.rat", "1G"):
                "ports.left.rat: is not a known key; did you mean rate",
            ("set", "ports.left.rate", "1X"): "running:6:11: ports[0].rate: \"1X\" is not a rate; write 0 or a rate",
            ("set", "defaults.pfc.xon", "1MiB", "defaults.pfc.xoff", "1KiB"):
                "defaults.pfc.xon: ",
            ("set", "ports.left"): "KEY",
            ("set", "ports.left.rate", "1G", "fabric.slots"): "fabric.slots: has no VALUE",
            ("unset", "ports.left.mtu"): "ports.left.mtu: is not configured there"}.items():
        done = switch.command(*words, check=False)
        assert done.returncode == 2 and line in done.stderr, done.stderr
    restart = switch.command("set", "buffer.size", "1MiB", check=False)
    assert restart.returncode == 1
    assert "buffer.size: cannot change from 16MiB to 1MiB while running" in restart.stderr
    assert shown(switch) == before


def test_what_is_set_goes_back_unless_it_is_confirmed(lab: Lab):
    switch = start(lab)
    before = shown(switch)
    said = switch.command("set", "ports.left.rate", "1G", "--confirm", "1s").stdout
    assert "Rolls back in 1 s unless confirmed (`sluice confirm`)." in said
    refused = switch.command("save", check=False)
    assert refused.returncode == 1 and "`sluice confirm` first" in refused.stderr
    until(lambda: shown(switch) == before, "what ran before runs again")
    switch.command("set", "ports.left.rate", "1G", "--confirm", "2s")
    switch.command("confirm")
    assert "rate: 1G" in shown(switch)


def test_two_who_set_at_once_are_both_heard(lab: Lab):
    switch = start(lab)

    def set_all(keys):
        for key, value in keys:
            switch.command("set", key, value)
    those = [[("ports.left.rate", "1G"), ("fabric.slots", "4"), ("ports.left.mtu", "1500")],
             [("ports.right.rate", "2G"), ("fabric.iterations", "2"), ("lldp.interval", "9s")]]
    threads = [threading.Thread(target=set_all, args=(keys,)) for keys in those]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    text = shown(switch)
    for written in ("rate: 1G", "rate: 2G", "slots: 4", "interval: 9s", "iterations: 2"):
        assert written in text, text


def test_what_runs_is_saved_with_its_comments(lab: Lab):
    switch = start(lab)
    os.chmod(switch.file, 0o640)
    before = switch.file.read_text()
    switch.command("set", "ports.left.rate", "1G", "ports.right.default_vlan", "7")
    assert switch.file.read_text() == before
    switch.command("set", "ports.right.description", "to the storage")
    said = switch.command("save").stdout
    assert said.splitlines() == [
        "ports[left].rate: 5G > 1G", "ports[right].default_vlan: 1 > 7",
        "ports[right].description: default > to the storage", f"{switch.file}: saved."]
    assert switch.file.read_text() == before.replace("rate: 5G", "rate: 1G").replace(
        '"null:"}', '"null:", default_vlan: 7, description: "to the storage"}')
    assert stat.S_IMODE(switch.file.stat().st_mode) == 0o640
    assert "is already up to date" in switch.command("save").stdout
    assert not [name for name in os.listdir(switch.file.parent) if name.startswith("sluice.yaml.")]


def test_a_file_is_edited_for_the_next_start(lab: Lab):
    switch = start(lab)
    before = switch.file.read_text()
    said = switch.command("set", "buffer.size", "1MiB", "--file", str(switch.file)).stdout
    assert said.splitlines() == ["buffer.size: 16MiB > 1MiB", f"{switch.file}: saved."]
    assert switch.file.read_text() == before + "buffer: {size: 1MiB}\n"
    switch.command("unset", "buffer.size", "--file", str(switch.file))
    assert switch.file.read_text() == before
    # A value is one word, whatever brackets it has.
    switch.command("set", "defaults.lossless", "[3, 4]", "vlans.10.ports", "[left, right]", "fdb.static",
                   '[{address: "02:00:00:00:00:01", vlan: 10, port: left}]', "--file", str(switch.file))
    assert switch.file.read_text() == before + (
        'defaults: {lossless: [3, 4]}\nvlans: [{id: 10, ports: [left, right]}]\n'
        'fdb: {static: [{address: 02:00:00:00:00:01, vlan: 10, port: left}]}\n')
    switch.command("unset", "defaults.lossless", "vlans.10", "fdb.static", "--file", str(switch.file))
    wrong = switch.command("set", "buffer.size", "1MiB", "ports.left.mtu", "1X", "--file",
                           str(switch.file), check=False)
    assert wrong.returncode == 2 and f"{switch.file}:" in wrong.stderr
    assert switch.file.read_text() == before


def test_a_link_to_the_file_stays_one(lab: Lab):
    switch = start(lab, "link.yaml")
    switch.command("set", "ports.left.rate", "1G")
    switch.command("save")
    assert (switch.file.parent / "link.yaml").is_symlink()
    assert "rate: 1G" in switch.file.read_text()


def test_what_somebody_else_wrote_is_not_lost(lab: Lab):
    switch = start(lab)
    switch.command("set", "ports.left.rate", "1G")
    theirs = switch.file.read_text().replace("# rack 7", "# rack 8")
    switch.file.write_text(theirs)
    refused = switch.command("save", check=False)
    assert refused.returncode == 1 and "was changed since sluiced read it" in refused.stderr
    assert switch.file.read_text() == theirs
    # Once it is taken over, it is known.
    switch.command("apply", str(switch.file))
    switch.command("set", "ports.left.rate", "2G")
    switch.command("save")
    assert switch.file.read_text() == theirs.replace("rate: 5G", "rate: 2G")
    # What nobody confirmed is in the file alone.
    on_trial = switch.file.read_text().replace("rate: 2G", "rate: 3G")
    switch.file.write_text(on_trial)
    switch.command("apply", str(switch.file), "--confirm", "1s")
    until(lambda: "rate: 2G" in shown(switch), "what ran before runs again")
    assert switch.command("save", check=False).returncode == 1
    assert switch.file.read_text() == on_trial
    switch.command("apply", str(switch.file), "--confirm", "60s")
    switch.command("confirm")
    switch.command("set", "ports.left.rate", "4G")
    switch.command("save")
    assert switch.file.read_text() == on_trial.replace("rate: 3G", "rate: 4G")
    switch.file.unlink()
    gone = switch.command("save", check=False)
    assert gone.returncode == 1 and "cannot be read" in gone.stderr


def test_programs_are_told_as_json(lab: Lab):
    switch = start(lab)
    done = json.loads(switch.command("set", "ports.left.rate", "1G", "--json").stdout)
    assert done == {"ok": True, "faults": [], "confirm_s": 0, "file": str(switch.file),
                    "changes": [{"key": "ports[left].rate", "running": "5G", "set": "1G"}]}
    wrong = switch.command("set", "ports.left.rate", "1X", "--json", check=False)
    [fault] = json.loads(wrong.stdout)["faults"]
    assert (wrong.returncode, fault["path"], fault["file"]) == (2, "ports[0].rate", "running")
    saved = json.loads(switch.command("save", "--json").stdout)
    assert saved == {"ok": True, "faults": [], "file": str(switch.file), "written": True,
                     "changes": [{"key": "ports[left].rate", "file": "5G", "running": "1G"}]}


def test_keys_are_completed_by_what_runs(lab: Lab):
    switch = start(lab)

    def keys(start_: str) -> list[str]:
        return switch.command("schema", "--keys", start_).stdout.split()
    assert keys("ports.") == ["ports.left.", "ports.right."]
    assert keys("ports.left.desc") == ["ports.left.description"]
    assert switch.command("schema", "--values", "ports.left.admin_status").stdout.split() == \
        ["up", "down"]
    nobody = subprocess.run([program("sluice"), "schema", "--keys", "fabric.it", "--socket",
                             str(pathlib.Path("/nonexistent"))], capture_output=True, text=True)
    assert nobody.stdout == "fabric.iterations\n" and nobody.returncode == 0
