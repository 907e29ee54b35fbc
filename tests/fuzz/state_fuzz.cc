// Whatever is in the file of what a switch knew: it is read whole or not at all, within its bounds,
// and what was read is written so that it reads the same.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "control/state/saved_state.h"
#include "tests/fuzz/promises.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    using namespace sluice::control;
    using sluice::test::must;
    const auto state = SavedState::read({reinterpret_cast<const char*>(data), size});
    if (!state) {
        must(!state.error().empty(), "who refuses says why");
        return 0;
    }
    must(state->places.size() <= most_places, "no more places than there can be");
    std::size_t addresses = 0;
    for (const SavedAddresses& of : state->fdb) {
        must(of.place < state->places.size(), "addresses are of a place");
        for (const SavedAddress& entry : of.addresses) {
            must(can_be_saved(of.family, of.vlan, entry.address), "each is a station's");
        }
        addresses += of.addresses.size();
    }
    must(addresses <= most_addresses, "no more than an FDB can hold");
    for (const SavedCounters& of : state->counters) {
        must(of.place < state->places.size(), "counters are of a place");
        must(of.counts.size() <= most_counts, "no more than a port has");
    }
    const auto again = SavedState::read(state->text());
    must(again.has_value(), "what is written can be read");
    must(*again == *state, "and says the same");
    return 0;
}
