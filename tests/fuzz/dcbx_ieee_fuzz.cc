// Whatever stands in the final standard's TLVs of DCBX: read inside their ends or counted, written
// again and read the same.
#include "control/dcbx/codec_ieee.h"
#include "tests/fuzz/dcbx_frame.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    sluice::test::reads_what_it_writes(std::span(data, size), sluice::dcbx::read_ieee,
                                       sluice::dcbx::write_ieee);
    return 0;
}
