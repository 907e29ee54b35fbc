"""`sluice calc` works out what published tables say, and shows how."""

import json

import pytest

from page import data_of, shown
from switch import sluice

# What a hardware switch is given for a lossless priority, in octets, by Gb/s and metres.
PUBLISHED = {
    10: {5: 15360, 40: 16384, 300: 19456},
    25: {5: 16384, 40: 17408, 300: 25600},
    100: {5: 36864, 40: 40960, 300: 73728},
    400: {5: 71680, 40: 89088, 300: 220160},
}


def calc(*words: str) -> dict:
    return json.loads(sluice("calc", *words, "--json").stdout)


def headroom(*words: str) -> dict:
    return calc("headroom", *words)


@pytest.mark.parametrize("gigabits, metres, octets", [
    (gigabits, metres, octets) for gigabits, row in PUBLISHED.items()
    for metres, octets in row.items()])
def test_the_published_headroom_is_reproduced(gigabits, metres, octets):
    answer = headroom("--speed", f"{gigabits}G", "--cable", f"{metres}m",
                      "--mtu", "1500", "--port-mtu", "9100")
    assert (answer["result"], answer["unit"]) == (octets, "bytes")


def test_the_answer_has_formula_inputs_and_source():
    answer = headroom("--speed", "100G", "--port-mtu", "9100")
    assert set(answer) == {"formula", "inputs", "result", "unit", "source", "also"}
    assert answer["inputs"] == {
        "speed_bps": 100_000_000_000, "cable_mm": 5000, "mtu_bytes": 1500, "port_mtu_bytes": 9100,
        "response_ns": 2018, "mac_phy_bytes": 0, "cell_overhead": 1, "quanta": 394}
    assert answer["formula"].startswith("headroom = ") and "802.1Q" in answer["source"]


def test_headroom_is_drawn_over_length_and_rate(tmp_path):
    """What was asked for is among the points, with the figure that is printed."""
    file = tmp_path / "headroom.html"
    answer = headroom("--speed", "50G", "--cable", "30m", "--port-mtu", "9100", "--plot", str(file))
    data = data_of(file)
    here = [row["headroom_bytes"] for row in data["rows"]
            if (row["speed_bps"], row["cable_mm"]) == (50_000_000_000, 30_000)]
    assert here == [answer["result"]] == [data["headroom_bytes"]]
    for gigabits, row in PUBLISHED.items():
        for metres, _ in row.items():
            alone = headroom("--speed", f"{gigabits}G", "--cable", f"{metres}m", "--port-mtu", "9100")
            assert {"speed_bps": gigabits * 10**9, "cable_mm": metres * 1000,
                    "headroom_bytes": alone["result"]}.items() <= next(
                        found for found in data["rows"] if found["speed_bps"] == gigabits * 10**9
                        and found["cable_mm"] == metres * 1000).items()
    page = shown(file)
    assert page.texts["h1"] == ["Headroom at 50G over 30m"]
    assert page.texts["h2"] == ["Over the length of the cable", "Over the rate of the link", "All"]
    assert page.texts["button"][0] == "50G", "the speed asked for first"


def test_a_plot_that_cannot_be_written_is_told(tmp_path):
    done = sluice("calc", "headroom", "--speed", "50G", "--plot", str(tmp_path / "no/x"), check=False)
    assert done.returncode != 0 and "--plot" in done.stderr and "cannot be written" in done.stderr


def test_headroom_takes_quanta_as_octets_and_not_as_rounded_nanoseconds():
    answer = headroom("--speed", "400G", "--cable", "5m", "--mtu", "1518", "--port-mtu", "1518")
    assert answer["result"] == 63488 and answer["inputs"]["quanta"] == 905


def test_the_pause_frame_of_annex_n_is_beside_the_published_figure():
    """84 octets on the wire, which the published tables leave out; --cell counts it in the result."""
    whole = ("--speed", "10G", "--mtu", "1518", "--cable", "0", "--quanta", "0")
    for mac_phy, result, with_pause in ((0, 3072, 4096), (1024, 4096, 5120), (900, 4096, 4096)):
        answer = headroom(*whole, "--mac-phy", str(mac_phy))
        assert (answer["result"], answer["also"]["with_pause_frame_bytes"]) == (result, with_pause)
    assert "also" not in headroom(*whole, "--cell", "256")


def test_the_text_has_the_same_figures():
    said = sluice("calc", "headroom", "--speed", "100G", "--port-mtu", "9100").stdout
    assert "headroom = 36864 bytes\n" in said
    assert "response       394 quanta, 2018ns\n" in said


@pytest.mark.parametrize("words, octets", [
    ((), 1500 + 1500 + 63 + 67 * 64),                      # of the cable, and of the response
    (("--cable", "0"), 1500 + 1500 + 67 * 64),
    (("--quanta", "0"), 1500 + 1500 + 63),
    (("--quanta", "1000"), 1500 + 1500 + 63 + 64_000),
    (("--response", "10us"), 1500 + 1500 + 63 + 12_500),
    (("--mac-phy", "10KiB"), 1500 + 1500 + 63 + 67 * 64 + 10_240),
    (("--mtu", "9000"), 9000 + 9000 + 63 + 67 * 64),       # the port's is that of the priority
    (("--cell-overhead", "2"), 1500 + 2 * (1500 + 63 + 67 * 64))])
def test_each_word_counts(words, octets):
    assert headroom("--speed", "10G", *words)["result"] == -(-octets // 1024) * 1024


@pytest.mark.parametrize("words, complaint", [
    ((), "--speed is required"),
    (("--speed", "10"), '--speed: "10" is out of range; write a rate from 1M to 1600G'),
    (("--speed", "fast"), '--speed: "fast" is not a rate; write'),
    (("--speed", "10G", "--cable", "5"), '--cable: "5" is not a length; write'),
    (("--speed", "10G", "--response", "-1us"), '--response: "-1us" is negative; write'),
    (("--speed", "10G", "--quanta", "65536"), '--quanta: "65536" is out of range; write'),
    (("--speed", "10G", "--cell-overhead", "0.5"), '--cell-overhead: "0.5" is out of range'),
    (("--speed", "10G", "--port-mtu", "1000"), "--port-mtu: 1000B is below the 1500B of --mtu"),
    (("--speed", "10G", "--quanta", "1", "--response", "1us"), "excludes"),
    (("--speed", "10G", "100G"), "100G")])
def test_bad_input_is_reported_in_a_line(words, complaint):
    done = sluice("calc", "headroom", *words, check=False)
    assert done.returncode == 2 and done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith("sluice: ") and complaint in line, line


# --- the headroom of a gateway ----------------------------------------------------------------
@pytest.mark.parametrize("words, octets", [
    (("--delay", "5ms"), 62_500_000),
    (("--delay", "5ms", "--departure", "40G"), 37_500_000),
    (("--delay", "5ms", "--departure", "100G"), 0),
    (("--delay", "5ms", "--arrival", "400G"), 250_000_000),
    (("--distance", "198km"), 12_500_000)])
def test_a_gateway_reserves_for_what_gathers_while_its_pause_travels(words, octets):
    answer = calc("wan-headroom", *words)
    assert (answer["result"], answer["unit"]) == (octets, "bytes")
    assert answer["also"] == {"both_ways_bytes": 2 * octets}
    assert answer["source"].startswith("draft-he-rtgwg-wan-pfc-00")


# --- credits ----------------------------------------------------------------------------------
@pytest.mark.parametrize("words, quantum, whole_cells", [
    (("--speed-up", "1"), 100, 256),
    ((), 105, 256),                                         # a port of 400G, 5 % faster inside
    (("--ports", "18", "--speed-up", "1"), 1800, 2048),     # a slice
    (("--ports", "18"), 1890, 2048),
    (("--cycles", "4"), 210, 256),
    (("--clock", "2G"), 53, 256),                           # 52.5 would starve the port
    (("--speed", "100G"), 27, 256),
    (("--cell", "100B"), 105, 200)])
def test_a_credit_lets_out_what_the_port_sends_until_the_next(words, quantum, whole_cells):
    answer = calc("credit-quantum", *words)
    assert (answer["result"], answer["unit"]) == (quantum, "bytes")
    assert answer["also"]["whole_cells_bytes"] == whole_cells


@pytest.mark.parametrize("words, octets, cells", [
    ((), 40_000, 156.25), (("--rtt", "1600ns"), 80_000, 312.5), (("--cell", "64B"), 40_000, 625)])
def test_the_buffer_of_credits_is_what_the_link_holds_both_ways(words, octets, cells):
    also = calc("credit-quantum", *words)["also"]
    assert (also["bdp_bytes"], also["bdp_cells"]) == (octets, cells)


# --- retry ------------------------------------------------------------------------------------
LOOP = ("--speed", "8G", "--delay", "1us", "--response", "0", "--frame", "100B")


def test_a_sender_keeps_what_may_be_sent_until_its_ack_is_here():
    answer = calc("retry", *LOOP)
    assert (answer["result"], answer["unit"]) == (2 * 100 + 2048 + 84 + 2000, "bytes")
    assert answer["also"]["replay_timer_ns"] == answer["result"]  # an octet takes a nanosecond
    assert calc("retry", *LOOP, "--ack-every", "100B")["result"] == 2384
    assert calc("retry", "--cable", "99m", "--speed", "8G", "--response", "0", "--frame",
                "100B")["inputs"]["delay_ns"] == 500
    assert calc("retry", "--round-trip", "2us", "--speed", "8G", "--response", "0", "--frame",
                "100B")["result"] == answer["result"]


def test_a_loss_costs_a_frame_and_by_go_back_n_a_loop():
    clean = calc("retry", *LOOP, "--loss", "0")["also"]
    assert (clean["goodput"], clean["goodput_go_back_n"]) == (1, 1)
    lossy = calc("retry", *LOOP, "--loss", "0.01")
    assert lossy["also"]["goodput"] == pytest.approx(0.99)
    assert lossy["also"]["goodput_go_back_n"] == pytest.approx(100 / (100 + 2184 / 99))
    assert lossy["also"]["with_losses_bytes"] == lossy["result"] + 2184


# --- queues -----------------------------------------------------------------------------------
def test_a_queue_at_ninety_per_cent_is_longer_than_67_once_in_a_million():
    answer = calc("md1", "--load", "0.9", "--tail", "1e-6")
    assert (answer["result"], answer["unit"]) == (67, "frames")
    also = answer["also"]
    assert also["queue_bytes"] == 67 * 256
    assert also["probability"] <= 1e-6
    assert also["buffer_frames"] == 57
    assert also["quoted_frames"] == 53


def test_a_frame_waits_for_two_of_its_own_length_at_eighty_per_cent():
    also = calc("md1", "--load", "4/5", "--frame", "1406", "--speed", "200G")["also"]
    assert also["mean_wait_ns"] == pytest.approx(2 * 56.24)
    assert also["mean_waiting_frames"] == pytest.approx(1.6)


def test_the_heaviest_load_and_the_rarest_tail_are_answered_at_once():
    assert calc("md1", "--load", "0.999", "--tail", "1e-12")["result"] == 13811


def test_beside_it_stands_what_drawn_lengths_would_take():
    """M/M/1 by its states, one by one: as likely as load^n, and in a queue with an end likewise."""
    also = calc("md1", "--load", "0.9", "--tail", "1e-6")["also"]
    states = [0.1 * 0.9 ** n for n in range(4000)]
    longer = [sum(states[n + 1:]) for n in range(200)]
    assert also["mm1_frames"] == next(n for n, share in enumerate(longer) if share <= 1e-6)
    lost = [states[room] / sum(states[:room + 1]) for room in range(200)]
    assert also["mm1_buffer_frames"] == next(n for n, share in enumerate(lost) if share <= 1e-6)
    # Kleinrock: twice what frames of one length wait.
    assert also["mm1_mean_wait_ns"] == pytest.approx(2 * also["mean_wait_ns"])


# --- pipelines --------------------------------------------------------------------------------
@pytest.mark.parametrize("words, pipelines, arriving", [
    ((), 32, 38.1e9),                                       # 25.6T of the shortest frames
    (("--frame", "256"), 20, 11.6e9),                       # and of such as take two cycles
    (("--frame", "236"), 11, 12.5e9),
    (("--frame", "256", "--width", "512"), 10, 11.6e9),
    (("--per-clock", "2"), 16, 38.1e9),
    (("--clock", "1.3G"), 30, 38.1e9),
    (("--rate", "51.2T"), 64, 76.2e9),
    (("--overhead", "0"), 42, 50e9)])
def test_as_many_pipelines_as_take_what_arrives(words, pipelines, arriving):
    answer = calc("pipelines", *words)
    assert (answer["result"], answer["unit"]) == (pipelines, "pipelines")
    assert answer["also"]["frames_per_second"] == pytest.approx(arriving, rel=0.003)


# --- incast -----------------------------------------------------------------------------------
@pytest.mark.parametrize("words, octets", [
    (("--speed", "200G"), 1_750_000),                       # 8 ports for 10 us
    (("--speed", "200G", "--ports", "2"), 250_000),
    (("--speed", "200G", "--ports", "1"), 0),
    (("--speed", "200G", "--burst", "20us"), 3_500_000)])
def test_an_incast_gathers_all_but_what_the_output_sends(words, octets):
    answer = calc("incast", *words)
    assert (answer["result"], answer["unit"]) == (octets, "bytes")


# --- the time of a frame on the wire ----------------------------------------------------------
@pytest.mark.parametrize("frame, at_100g, at_200g, at_400g", [
    (1406, 112.48, 56.24, 28.12), (1360, 108.8, 54.4, 27.2), (54, 4.32, 2.16, 1.08),
    (26, 2.08, 1.04, 0.52), (4096, 327.68, 163.84, 81.92)])
def test_a_frame_takes_its_bits_over_the_speed(frame, at_100g, at_200g, at_400g):
    for speed, nanoseconds in (("100G", at_100g), ("200G", at_200g), ("400G", at_400g)):
        answer = calc("serialisation", "--frame", str(frame), "--speed", speed)
        assert (answer["result"], answer["unit"]) == (pytest.approx(nanoseconds), "ns")
    also = answer["also"]
    assert [also["at_100g_ns"], also["at_200g_ns"], also["at_400g_ns"]] == [
        pytest.approx(at_100g), pytest.approx(at_200g), pytest.approx(at_400g)]


def test_preamble_and_gap_take_the_wire_too():
    assert calc("serialisation", "--frame", "64", "--overhead", "20",
                "--speed", "10G")["result"] == pytest.approx(67.2)


# --- a chain of switches ----------------------------------------------------------------------
@pytest.mark.parametrize("words, nanoseconds", [
    ((), 2 * (100 + 500) + 120),                            # the last hop puts it on the wire
    (("--hops", "3"), 3 * (100 + 500) + 120),
    (("--mode", "store-and-forward"), 2 * (100 + 500 + 120) + 120),
    (("--load", "0.8"), 2 * (100 + 500 + 240) + 120),       # waits for two frames a hop
    (("--fixed", "300ns"), 2 * (100 + 300) + 120),
    (("--cable", "0"), 2 * 500 + 120),
    (("--speed", "200G"), 2 * (100 + 500) + 60)])
def test_each_hop_adds_its_cable_its_switch_and_its_queue(words, nanoseconds):
    answer = calc("latency", "--frame", "1500", *(() if "--cable" in words else
                                                  ("--cable", "19800mm")), *words)
    assert (answer["result"], answer["unit"]) == (pytest.approx(nanoseconds), "ns")


# --- all of them ------------------------------------------------------------------------------
NAMES = ["wan-headroom", "credit-quantum", "retry", "md1",
         "pipelines", "incast", "serialisation", "latency"]


@pytest.mark.parametrize("name", NAMES)
def test_no_word_is_needed_to_see_what_a_calculation_does(name):
    assert {"formula", "inputs", "result", "unit", "source"} <= set(calc(name))
    said = sluice("calc", name).stdout
    assert " = " in said and "Source: " in said
    assert f"Example: sluice calc {name} --" in sluice("calc", name, "--help").stdout


@pytest.mark.parametrize("words, complaint", [
    ("wan-headroom --arrival 10G --departure 11G", "--departure: 11G is above the 10G of"),
    ("wan-headroom --delay 1ms --distance 1km", "excludes"),
    ("wan-headroom --delay 2s", "write a time"),
    ("credit-quantum --speed-up 0.9", '--speed-up: "0.9" is out of range; write a number from 1'),
    ("credit-quantum --cycles 0", '--cycles: "0" is out of range; write a whole number from 1 to'),
    ("credit-quantum --cell 0", '--cell: "0" is out of range; write a size from 1'),
    ("retry --loss 0.6", '--loss: "0.6" is out of range; write a number from 0 to 0.5'),
    ("retry --delay 1ms --cable 1km", "excludes"),
    ("retry --delay 1ms --round-trip 2ms", "excludes"),
    ("md1 --load 1", '--load: "1" is out of range; write a number from 0.001 to 0.999, as'),
    ("md1 --load nan", '--load: "nan" is not a number; write'),
    ("md1 --load 1/0", '--load: "1/0" is not a number; write'),
    ("md1 --load -0.5", '--load: "-0.5" is out of range; write'),
    ("md1 --tail 0", '--tail: "0" is out of range; write a number from 1e-12 to 0.5'),
    ("md1 --tail 1e-999", '--tail: "1e-999" is not a number; write'),
    ("pipelines --width 0", '--width: "0" is out of range; write a size from 1'),
    ("pipelines --per-clock 65", '--per-clock: "65" is out of range; write a whole number'),
    ("pipelines --clock 0", '--clock: "0" is out of range; write a rate'),
    ("incast --ports 0", '--ports: "0" is out of range; write a whole number from 1 to 4096'),
    ("incast --burst 10", '--burst: "10" is not a time; write'),
    ("serialisation --frame 0", '--frame: "0" is out of range; write a size from 1'),
    ("serialisation --speed 100", '--speed: "100" is out of range; write a rate'),
    ("latency --mode stored", '--mode: "stored" is not one of cut-through, store-and-forward'),
    ("latency --hops 65", '--hops: "65" is out of range; write a whole number from 1 to 64'),
    ("latency --load 1", '--load: "1" is out of range; write a number from 0 to 0.999')])
def test_values_that_cannot_be_are_refused_with_what_would_be_right(words, complaint):
    done = sluice("calc", *words.split(), check=False)
    assert done.returncode == 2 and done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith("sluice: ") and complaint in line, line


def test_calc_alone_says_what_there_is():
    said = sluice("calc").stdout
    assert "Usage: sluice calc " in said
    assert "headroom " in said and "--help" in said


@pytest.mark.parametrize("words, remedy", [
    (("nothing",), "write one of headroom"),
    (("headrom",), "did you mean headroom"),
    (("headroom", "--speed", "10G", "--cabel", "5m"), "did you mean --cable"),
    (("headroom", "--speed", "10G", "5m"), "write one of --help, --speed, --cable")])
def test_a_wrong_word_is_refused_with_those_that_would_be_right(words, remedy):
    done = sluice("calc", *words, check=False)
    assert done.returncode == 2 and done.stdout == ""
    assert "is not a known word; " + remedy in done.stderr


def test_help_shows_an_example():
    assert "Example: sluice calc headroom --" in sluice("calc", "headroom", "--help").stdout
