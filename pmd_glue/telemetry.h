// Telemetry: the socket of DPDK's telemetry, for tools such as dpdk-telemetry.py, with commands of
// the switch in addition to DPDK's own. The socket is in EAL's runtime folder, which only its owner
// can access.
//
// EAL would start telemetry with all capabilities of the process. So EAL runs with --no-telemetry,
// and the threads of telemetry are made without privileges (privileges.h). The function that starts
// them is not part of DPDK's public interface (dpdk_release.h).
// Bound: a command has 55 octets, a reply 16 KB, a list 512 words and a table 256 rows; longer ones
// are cut. Ten clients (DPDK's MAX_CONNECTIONS), one thread for each.
// Not done here: the contents of replies, which are requested in a client's thread.
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
    // `parameters`: the text after the first comma. Must not throw.
    using Answer =
        std::function<TelemetryReply(std::string_view command, std::string_view parameters)>;

    // Call it once in a process, after EAL has started.
    static tl::expected<std::unique_ptr<Telemetry>, Error> start(
        std::span<const TelemetryCommand> commands, Answer answer);
    Telemetry(const Telemetry&) = delete;
    Telemetry& operator=(const Telemetry&) = delete;
    // Stops answering commands; DPDK keeps its socket until the process ends.
    ~Telemetry();

  private:
    Telemetry() = default;
};

}  // namespace sluice::pmd
