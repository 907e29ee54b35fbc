"""TRex's stateless Python API where there is no TRex: what a profile makes of it is kept, so that a
test can look at it. With $TREX the real one is imported instead, which checks more."""

import os
import pathlib
import sys
import types

NAMES = ("STLPktBuilder", "STLVmFlowVar", "STLVmWrFlowVar", "STLStream", "STLTXCont",
         "STLTXSingleBurst", "STLFlowStats", "STLFlowLatencyStats")


def kept(name: str):
    return lambda *given, **about: types.SimpleNamespace(kind=name, given=given, **about)


def provide() -> str:
    """Makes `trex.stl.api` importable; which it is."""
    folder = os.environ.get("TREX")
    if folder:
        sys.path.insert(0, str(pathlib.Path(
            folder, "automation", "trex_control_plane", "interactive")))
        return "TRex"
    api = types.ModuleType("trex.stl.api")
    for name in NAMES:
        setattr(api, name, kept(name))
    api.STLScVmRaw = lambda steps: steps
    api.STLStreamDstMAC_PKT = 1
    trex, inner = types.ModuleType("trex"), types.ModuleType("trex.stl")
    trex.stl, inner.api = inner, api
    sys.modules |= {"trex": trex, "trex.stl": inner, "trex.stl.api": api}
    return "stand-in"
