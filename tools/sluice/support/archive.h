// Archive: packs texts into a tar file (POSIX.1-1988 ustar), in memory.
// Bound: names of up to 99 octets, and texts that fit in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::cli {

class Archive {
  public:
    // `modified`: the time of all files in the archive, in seconds since 1970.
    explicit Archive(int64_t modified) : modified_(modified) {}

    void add(const std::string& name, std::string_view text);
    // Returns the archive with the files added until now.
    [[nodiscard]] std::string octets() const;

  private:
    int64_t modified_;
    std::string octets_;
};

}  // namespace sluice::cli
