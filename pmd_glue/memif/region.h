// Region: a piece of memory that two processes share.
//
// A region of another process is accepted only if that process can no longer shrink it and it has
// the announced length, so that no access within `octets` ends in SIGBUS: a memfd of ordinary pages
// with F_SEAL_SHRINK. libmemif, VPP and DPDK make such regions, except in zero-copy mode: then they
// use huge pages, into which a hole may be punched that is never filled again. `trusted` accepts
// any file. The other process may change the contents at any moment; a page that it frees is
// charged to the memory cgroup of the process that touches it next.
// Bound: `most_octets`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tl/expected.hpp>

#include "pmd_glue/file_descriptor.h"

namespace sluice::pmd::memif {

class Region {
  public:
    static constexpr uint64_t most_octets = uint64_t{1} << 32;  // an offset has 32 bits

    // Makes a sealed region of zeros. The error text is the kernel's.
    static tl::expected<Region, std::string> make(std::size_t octets);
    // Maps memory of another process. The error text may be sent to that process.
    static tl::expected<Region, std::string> map(FileDescriptor file, uint64_t octets,
                                                 bool trusted);
    Region(Region&& other) noexcept;
    Region& operator=(Region&& other) noexcept;
    ~Region();

    [[nodiscard]] std::span<uint8_t> octets() const { return octets_; }
    [[nodiscard]] int file() const { return file_.number(); }

  private:
    Region(FileDescriptor file, std::span<uint8_t> octets);

    FileDescriptor file_;  // open if this process made the region
    std::span<uint8_t> octets_;
};

}  // namespace sluice::pmd::memif
