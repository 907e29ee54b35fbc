"""Search: finds the fastest rate without loss (NDR), or with a small accepted loss (PDR).

For NDR one lost frame fails a trial. The search bisects between the fastest rate that passed and
the slowest that failed, until they differ by at most `resolution` of the first rate. Then the
slowest failed rate is tried once more; if it passes, the search continues above it, so that one
frame lost by chance does not halve the result.
Frames that the generator could not send do not count as offered: then the found rate is the
generator's limit.
"""

import dataclasses
from typing import Callable, Optional

from outcome import Outcome

SHORTEST_TRIAL = {"TRex": 5, "sluice-gen": 0.2}  # seconds; TRex's are useless at one second


@dataclasses.dataclass
class Found:
    rate: Optional[float] = None  # frames a second of each port; None: no rate passed
    outcome: Optional[Outcome] = None
    limit: str = "loss"           # or `generator`
    trials: int = 0


def passes(outcome: Outcome, accepted: float) -> bool:
    """Whether at most the share `accepted` of the sent frames was lost."""
    if outcome.sent() + sum(sent for sent, _ in outcome.devices) == 0:
        return False
    return outcome.lost() <= accepted * outcome.sent()


def search(trial: Callable[[float], Outcome], highest: float, accepted: float = 0.0,
           resolution: float = 0.01, tell: Callable[[str], None] = lambda _: None) -> Found:
    found = Found()

    def tried(rate: float) -> bool:
        outcome = trial(rate)
        found.trials += 1
        good = passes(outcome, accepted)
        tell(f"{rate:,.0f} frames a second a port: {outcome.lost():,} lost")
        if good and (found.rate is None or rate > found.rate):
            found.rate, found.outcome = rate, outcome
            found.limit = "generator" if outcome.held_back() else "loss"
        return good

    failures = [] if tried(highest) else [highest]
    tried_again = set()
    while failures:
        failed, passed = failures[-1], found.rate or 0.0
        if failed - passed > resolution * highest:
            if not tried((failed + passed) / 2):
                failures.append((failed + passed) / 2)
        elif failed in tried_again:
            break
        else:
            tried_again.add(failed)
            if tried(failed):
                failures.pop()
    return found
