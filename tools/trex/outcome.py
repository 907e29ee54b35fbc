"""Outcome: the result of a run of streams by either generator, and the verdicts on it."""

import dataclasses
from typing import Optional

from streams import Stream


@dataclasses.dataclass
class Row:
    """The result of one stream. None: the generator does not measure the value. TRex measures
    order and latency only for streams with `latency`, and recognises only IP frames."""
    stream: str
    sent: Optional[int]
    received: Optional[int] = None
    lost: Optional[int] = None
    reordered: Optional[int] = None
    duplicates: Optional[int] = None
    latency_us: Optional[dict[str, float]] = None


@dataclasses.dataclass
class Outcome:
    rows: list[Row]
    devices: list[tuple[int, int]]  # frames sent and received by each port, all of them
    seconds: float
    asked: float                    # frames a second, of all streams

    def sent(self) -> int:
        return sum(row.sent or 0 for row in self.rows)

    def lost(self) -> int:
        """Returns the frames lost by streams; if streams are not counted, those lost by ports."""
        known = [row.lost for row in self.rows if row.lost is not None]
        if known:
            return sum(known)
        return max(0, sum(sent - received for sent, received in self.devices))

    def held_back(self) -> bool:
        """Whether the generator sent less than requested: then it is the limit, not the switch."""
        return self.sent() < 0.99 * self.asked * self.seconds


def asked_of(streams: list[Stream], rate: float) -> float:
    return sum(stream.a_second or stream.share * rate for stream in streams)


@dataclasses.dataclass
class Verdict:
    what: str
    holds: bool
    why: str


def loss(outcome: Outcome, streams: list[Stream]) -> Verdict:
    may_lose = {stream.name for stream in streams if stream.may_lose}
    losers = [f"{row.stream} {row.lost:,}" for row in outcome.rows
              if row.lost and row.stream not in may_lose]
    unknown = [row.stream for row in outcome.rows if row.lost is None and row.received is None
               and any(one.name == row.stream and not one.octets for one in streams)]
    if losers:
        return Verdict("loss", False, "lost: " + ", ".join(losers))
    if unknown and not may_lose:
        missing = outcome.lost()
        return Verdict("loss", missing == 0, f"{missing:,} frames, by port: the generator cannot "
                                             "tell streams of this format apart")
    allowed = sum(row.lost or 0 for row in outcome.rows)
    more = f"; {allowed:,} where this profile overloads or pauses" if allowed else ""
    return Verdict("loss", True, "none" + more)


def order(outcome: Outcome) -> Verdict:
    known = [row for row in outcome.rows if row.reordered is not None]
    wrong = [f"{row.stream} {row.reordered:,} reordered, {row.duplicates:,} twice" for row in known
             if row.reordered or row.duplicates]
    if wrong:
        return Verdict("order", False, ", ".join(wrong))
    return Verdict("order", True, f"kept in {len(known)} of {len(outcome.rows)} streams" if known
                   else "not known of these streams")


def pauses(outcome: Outcome, streams: list[Stream], rows: list[dict]) -> list[Verdict]:
    """Judges pauses; returns nothing if none were sent. `rows`: `show pfc` of a new switch."""
    if not any(stream.octets for stream in streams):
        return []
    received = sum(row["rx_pause"] for row in rows)
    held_ns = sum(row["paused_ns"] for row in rows)
    sent = [row.sent for row in outcome.rows
            if any(one.name == row.stream and one.octets for one in streams)]
    known = all(count is not None for count in sent)
    fine = received > 0 and (not known or received == sum(sent))
    of = f" of {sum(sent):,}" if known else ""
    each = f", {held_ns / received / 1e3:,.1f} us for each" if received else ""
    return [Verdict("pauses", fine, f"{received:,}{of} received, held back for "
                                    f"{held_ns / 1e6:,.1f} ms{each}, {sum(row['storms'] for row in rows)} storms")]


def ledger(outcome: Outcome, ports: list[dict], balance: dict) -> Verdict:
    """Compares the frames that the switch counted with those of the generator, for each port.
    `ports`: rx_frames and tx_frames of each; `balance`: the ledger, with drops."""
    differ = []
    for index, (of_switch, (sent, received)) in enumerate(zip(ports, outcome.devices, strict=True)):
        if of_switch["rx_frames"] != sent:
            differ.append(f"port {index}: {sent:,} sent, {of_switch['rx_frames']:,} received by "
                          "the switch")
        if of_switch["tx_frames"] != received:
            differ.append(f"port {index}: {of_switch['tx_frames']:,} sent by the switch, "
                          f"{received:,} received")
    if not balance["balanced"] or balance["waiting"]:
        differ.append(f"the switch's own ledger does not balance: {balance}")
    if differ:
        return Verdict("ledger", False, "; ".join(differ))
    return Verdict("ledger", True, f"agrees to the frame: {balance['received']:,} received, "
                                   f"{balance['sent']:,} sent, {balance['dropped']:,} dropped")
