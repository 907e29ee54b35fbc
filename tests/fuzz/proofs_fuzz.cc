// Whatever is in the file of proofs: it is read whole or not at all, and what was read is written
// so that it reads the same.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "control/proof/proofs.h"
#include "tests/fuzz/promises.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    using namespace sluice::control;
    using sluice::test::must;
    const auto proofs = Proofs::read({reinterpret_cast<const char*>(data), size});
    if (!proofs) return 0;
    must(proofs->all().size() <= most_proofs, "no more than there is room for");
    const auto again = Proofs::read(proofs->text());
    must(again.has_value(), "what is written can be read");
    must(std::ranges::equal(again->all(), proofs->all()), "and says the same");
    for (const Proof& proof : proofs->all()) {
        must(proofs->of(proof.of) == proof.seen, "each is found");
    }
    return 0;
}
