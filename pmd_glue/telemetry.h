// Telemetry: the socket of DPDK's telemetry, for tools such as dpdk-telemetry.py, with
// commands of the switch beside those of DPDK itself. It is in EAL's runtime folder, which is its
// owner's alone.
//
// EAL would start it with all capabilities of the process. So EAL runs with --no-telemetry, and the
// threads of telemetry are made without privileges (privileges.h). The call for that is not part of
// DPDK's public interface; its form is that of 22.11, the version that the build requires.
// Bound: a command has 55 octets, a reply 16 KB, a list 512 words and a table 256 rows; the rest is
// left out. Ten clients (DPDK's MAX_CONNECTIONS), a thread each.
// Not done here: the contents of replies. They are requested on a client's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "pmd_glue/error.h"

namespace sluice::pmd {

struct TelemetryCommand {
    std::string name;  // such as /sluice/ports
    std::string help;
};

// A list of words, or a table.
using TelemetryTable = std::vector<std::pair<std::string, std::variant<uint64_t, std::string>>>;
using TelemetryReply = std::variant<std::vector<std::string>, TelemetryTable>;

class Telemetry {
  public:
    // `parameters`: what stood behind the first comma. Throws nothing.
    using Answer =
        std::function<TelemetryReply(std::string_view command, std::string_view parameters)>;

    // Once a process, EAL being up.
    static tl::expected<std::unique_ptr<Telemetry>, Error> start(
        std::span<const TelemetryCommand> commands, Answer answer);
    Telemetry(const Telemetry&) = delete;
    Telemetry& operator=(const Telemetry&) = delete;
    // From now on no command is answered; DPDK keeps its socket until the process ends.
    ~Telemetry();

  private:
    Telemetry() = default;
};

}  // namespace sluice::pmd
