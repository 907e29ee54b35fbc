"""The XDP program of af_xdp ports under Debian's kernel: its verifier takes it, and another driver than
veth runs it."""

from bed import bed
from frames import of_priority
from waiting import until_equal

STATION = "02:00:00:00:00:21"
HOST = "192.0.2.5"


def test_it_is_taken_and_counts_what_comes(tmp_path):
    with bed(tmp_path) as nics:
        nics.shell.run(f"ip addr add {HOST}/24 dev eth0")
        switch = nics.switch_of({
            "ports": [{"name": "kernel", "device": "af_xdp:eth0", "host": {"addresses": True}},
                      {"name": "nobody", "device": "null:"}],
            "workers": {"idle": "yield"}, "lldp": {"enabled": False}})
        xdp = switch.port("kernel")["xdp"]
        assert xdp["mode"] == "native" and not xdp["zero_copy"]
        nics.ends["kernel"].send(*of_priority(STATION, 3, 5))
        until_equal(lambda: switch.port("kernel")["rx_frames"], 5, "they are received", 60)
        xdp = switch.port("kernel")["xdp"]
        assert xdp["priority"] == [0, 0, 0, 5, 0, 0, 0, 0] and xdp["lost_by_kernel"] == 0
        assert (xdp["to_switch"], xdp["to_host"]) == (5, 0)
        switch.stop()
        assert "xdp" not in nics.shell.run("ip link show eth0").stdout, "it is detached"
