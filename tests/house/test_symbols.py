"""What the built dataplane asks of the world: memory at start, and moving octets. No clock, no
chance, no input or output, no system call, no thread, no exception.

The environment names the archive (SLUICE_DATAPLANE); without it there is nothing to look at.
"""

import os
import re
import subprocess

import pytest

ARCHIVE = os.environ.get("SLUICE_DATAPLANE")

# Everything else is refused. An exception's constructor cannot be reached without being thrown, and
# the standard's throw helpers only end the program: the dataplane is built without exceptions.
ALLOWED = re.compile(
    r"""^(?:
      mem(?:cpy|move|set|cmp) | aligned_alloc | calloc | free | abort
    | operator\ (?:new|delete)(?:\[\])?\(.*\)
    # Memory as well (hot_memory.h); the second is in a class of that header that nobody here uses.
    | std::pmr::get_default_resource\(\) | std::pmr::monotonic_buffer_resource::_M_new_buffer\(.*\)
    | std::__throw_(?:length_error|bad_alloc|bad_array_new_length|bad_function_call)\(.*\)
    | vtable\ for\ __cxxabiv1::__\w*class_type_info
    | __(?:div|udiv|mod|umod|mul)ti3 | __popcountdi2       # arithmetic of 128 bits, and counting
    | _GLOBAL_OFFSET_TABLE_ | __cxa_pure_virtual
    | sluice::.*
    )$""",
    re.VERBOSE,
)


def undefined_symbols(archive):
    listed = subprocess.run(["nm", "--undefined-only", "--demangle", archive],
                            capture_output=True, text=True, check=True).stdout
    return {line.split(" U ", 1)[1].strip() for line in listed.splitlines() if " U " in line}


@pytest.mark.skipif(not ARCHIVE, reason="SLUICE_DATAPLANE names no archive")
def test_the_dataplane_asks_for_memory_and_nothing_else():
    symbols = undefined_symbols(ARCHIVE)
    assert "memcpy" in symbols or "memmove" in symbols, "nm found nothing: is this the archive?"
    strangers = sorted(name for name in symbols if not ALLOWED.match(name))
    assert not strangers


@pytest.mark.parametrize("name", [
    "clock_gettime", "gettimeofday", "time", "rand", "random", "getrandom", "printf", "write",
    "syscall", "pthread_mutex_lock", "__cxa_throw", "std::chrono::_V2::steady_clock::now()",
    "std::__throw_system_error(int)", "rte_pktmbuf_free", "malloc", "getenv",
])
def test_the_list_keeps_out_what_it_should(name):
    assert not ALLOWED.match(name)
