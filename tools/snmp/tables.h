// Tables: all objects except the addresses, made from the switch's answers at most once a second.
//
// Source and time are arguments. If the switch does not answer, all objects are unchanged for
// `grace_ms`, as long as a restart takes; then its interfaces are notPresent, and all other objects
// are missing. An interface that returns with fewer frames, or whose switch restarted, has a
// discontinuity of its counters.
// Bound: one snapshot of each part.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "tools/snmp/mibs.h"

namespace sluice::snmp {

struct Now {
    int64_t steady_ms = 0;
    uint64_t sys_up_time = 0;  // sysUpTime of the master agent, in hundredths of a second
    int64_t unix_seconds = 0;
};

class Tables {
  public:
    // Returns the `result` of a request to the switch; nothing if it does not answer.
    using Ask = std::function<std::optional<Json>(const Json& request)>;
    enum class Part : uint8_t { interfaces, bridge, lldp };

    static constexpr int64_t stays_ms = 1000;
    static constexpr int64_t grace_ms = 5000;

    explicit Tables(Ask ask) : ask_(std::move(ask)) {}

    const Objects& part(Part part, const Now& now);
    // Returns the interfaces as they were last read.
    const Interfaces& interfaces(const Now& now);

  private:
    struct Snapshot {
        std::optional<int64_t> made_ms;
        Objects objects;
    };
    // State of an interface at the last reading.
    struct Seen {
        bool admin_up;
        Interface::Link link;
        Counters in;
        Counters out;
    };

    static bool is_fresh(const std::optional<int64_t>& made_ms, const Now& now) {
        return made_ms && now.steady_ms - *made_ms < stays_ms;
    }
    [[nodiscard]] Json show(const char* noun) const;
    void read_interfaces(const Now& now);
    void compare(const Now& now, bool began_again);

    Ask ask_;
    std::optional<int64_t> read_ms_;
    std::optional<int64_t> answered_ms_;  // time of the last answer
    bool has_answered_ = false;           // whether the switch answered the last query
    bool answers_ = false;                // whether the switch answered within `grace_ms`
    std::string up_since_;
    Interfaces interfaces_;
    std::optional<std::map<std::string, Seen>> seen_;  // none before the first answer
    IfMibTimes times_;
    RemoteIndices remote_indices_;
    std::array<Snapshot, 3> snapshots_;
};

}  // namespace sluice::snmp
