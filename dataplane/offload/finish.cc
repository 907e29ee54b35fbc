#include "dataplane/offload/finish.h"

#include "dataplane/address.h"
#include "dataplane/offload/ones_sum.h"

namespace sluice::offload {

bool finish_checksum(std::span<uint8_t> frame, const Unfinished& left) {
    const std::size_t place = std::size_t{left.checksum_start} + left.checksum_offset;
    if (place + 2 > frame.size()) return false;
    OnesSum sum;
    sum.add(frame.subspan(left.checksum_start));
    write_16(&frame[place], sum.transport_checksum());
    return true;
}

}  // namespace sluice::offload
