#include "config/port/trimming.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "config/port/set_aside.h"
#include "config/yaml/values.h"
#include "config/yaml/whole.h"

namespace sluice::config {

namespace {

class TrimRules {
  public:
    TrimRules(const std::vector<Value>& ports, Report& report) : ports_(ports), report_(report) {}

    void check(const Value& port) {
        const Value& trim = port["trim"];
        if (!trim["dscp"].says_something()) return;
        what_is_lossless_is_not_trimmed(port, trim);
        something_gets_shorter(port, trim["size"]);
        nothing_is_trimmed_twice(trim);
        its_dscp_stays(port, trim);
    }

  private:
    void fault(const Value& value, std::string what, std::string remedy) {
        report_.add(value.at, value.path, std::move(what), std::move(remedy));
    }

    void what_is_lossless_is_not_trimmed(const Value& port, const Value& trim) {
        const Value& queue = trim["queue"];
        const Value& lossless = port["lossless"];
        if (!queue.valid) return;
        if (lossless.lists(queue.number)) {
            fault(queue.written ? queue : trim["dscp"],
                  fmt::format("trimmed frames have priority {}, which is lossless", queue.number),
                  "write a trim.queue that is lossy");
        }
        for (const Value& priority : trim["priorities"].items) {
            if (!priority.valid) continue;
            if (lossless.lists(priority.number)) {
                fault(priority, fmt::format("priority {} is lossless", priority.number),
                      "leave it out, or remove it from lossless");
            }
            if (priority.number == queue.number) {
                fault(priority, fmt::format("priority {} is that of trimmed frames", queue.number),
                      "leave it out, or write another trim.queue");
            }
        }
    }

    void something_gets_shorter(const Value& port, const Value& size) {
        if (!size.valid || !port["mtu"].valid) return;
        const int64_t longest = largest_frame(port).count();
        if (size.number < longest) return;
        fault(size,
              fmt::format("no frame of mtu {} is longer than {}", port["mtu"].number,
                          format_size(size.number)),
              fmt::format("write less than {}", format_size(longest)));
    }

    // Checks that neither this port nor the next switch would trim a frame again.
    void nothing_is_trimmed_twice(const Value& trim) {
        const Value& last_hop = trim["last_hop"];
        if (last_hop.written) return is_not_trimmed(last_hop);
        for (const Value& item : trim["dscp"].items) is_not_trimmed(item);
    }
    void is_not_trimmed(const Value& written) {
        if (!written.valid) return;
        for (const Value& port : ports_) {
            for (const Value& item : port["trim"]["dscp"].items) {
                if (!item.valid || item.table_key != written.number) continue;
                return fault(written,
                             fmt::format("trimmed frames with DSCP {} would be trimmed again by {}",
                                         written.number, item.path),
                             "write a DSCP that is not trimmed");
            }
        }
    }

    void its_dscp_stays(const Value& port, const Value& trim) {
        for (const Value& remark : port["remark"]["dscp"].items) {
            if (!remark.valid || remark.table_key != trim["queue"].number) continue;
            fault(remark,
                  fmt::format("overwrites the DSCP of trimmed frames, whose priority is {}",
                              remark.table_key),
                  "leave it out, or write another trim.queue");
        }
    }

    const std::vector<Value>& ports_;
    Report& report_;
};

}  // namespace

TrimSettings trim_settings(const Value& port) {
    const Value& trim = port["trim"];
    TrimSettings settings;
    settings.queue = whole<Priority>(trim["queue"]);
    settings.share_128 = whole<uint8_t>(trim["share"]);
    settings.size = Bytes(trim["size"].number);
    const Value& last_hop = trim["last_hop"];
    for (const Value& item : trim["dscp"].items) {
        settings.dscp[static_cast<std::size_t>(item.table_key)] =
            whole<uint8_t>(last_hop.written ? last_hop : item);
    }
    if (trim["dscp"].items.empty()) return settings;
    if (trim["priorities"].written) {
        for (const Value& priority : trim["priorities"].items) {
            settings.priorities |= only_priority(whole<Priority>(priority));
        }
        return settings;
    }
    settings.priorities = static_cast<PrioritySet>(~only_priority(settings.queue));
    for (const Value& priority : port["lossless"].items) {
        settings.priorities &= static_cast<PrioritySet>(~only_priority(whole<Priority>(priority)));
    }
    return settings;
}

void check_trimming(const Value& file, Report& report) {
    const std::vector<Value>& ports = file["ports"].items;
    TrimRules rules(ports, report);
    for (const Value& port : ports) rules.check(port);
}

}  // namespace sluice::config
