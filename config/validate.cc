#include "config/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "config/bridge/aggregations.h"
#include "config/bridge/mirrors.h"
#include "config/bridge/multicast.h"
#include "config/bridge/port_vlans.h"
#include "config/bridge/vlan_members.h"
#include "config/places.h"
#include "config/port/applications.h"
#include "config/port/credit.h"
#include "config/port/device_limits.h"
#include "config/port/device_words.h"
#include "config/port/flow_control.h"
#include "config/port/formats.h"
#include "config/port/header_keys.h"
#include "config/port/host.h"
#include "config/port/lanes.h"
#include "config/port/pause_peers.h"
#include "config/port/pause_relays.h"
#include "config/port/port_names.h"
#include "config/port/retry.h"
#include "config/port/set_aside.h"
#include "config/port/thresholds.h"
#include "config/port/trimming.h"
#include "config/port/tunnels.h"
#include "config/port/tunnels_to_many.h"
#include "config/recorder.h"
#include "config/unused_keys.h"
#include "config/yaml/values.h"
#include "dataplane/egress/scheduler.h"
#include "dataplane/types/limits.h"

namespace sluice::config {
namespace {

// Values of a key that must differ at all ports, by the text that must differ: the first value with
// each text.
using Places = std::map<std::string, const Value*>;

std::string counted(std::size_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

bool both_valid(const Value& a, const Value& b) { return a.valid && b.valid; }

class Rules {
  public:
    Rules(const Value& file, Report& report)
        : file_(file), report_(report), port_names_(file, report), members_(file) {}

    void check() {
        names_and_devices_are_unique();
        check_formats(file_, report_);
        check_header_keys(file_, report_);
        check_unused_keys(file_, report_);
        workers_exist();
        check_places(file_, report_);
        check_lanes(file_, report_);
        check_device_limits(file_, report_);
        check_pause_peers(file_, report_);
        check_tunnels(file_, port_names_, report_);
        check_tunnels_to_many(file_, report_);
        for (const Value& port : ports()) {
            one_discipline_a_priority(port["scheduler"]);
            check_flow_control(port, report_);
            check_credit(file_, port, report_);
            check_retry(file_, port, report_);
            classes_are_no_control(port);
            xon_is_not_above_xoff(port);
            const Value& watchdog = port["pfc"]["watchdog"];
            const Value& longest = watchdog["longest_restoration"];
            is_not_above(watchdog["poll"], watchdog["detection"], format_time);
            if (longest.number != 0) is_not_above(watchdog["restoration"], longest, format_time);
            headroom_is_what_the_link_needs(port);
            ecn_acts_before_pfc(port);
            frame_fits_quantum(port);
            check_vlan_keys(file_, port, report_);
            check_applications(port, report_);
            check_host(file_, port, report_);
        }
        check_pause_relays(file_, port_names_, report_);
        check_trimming(file_, report_);
        check_static_thresholds(file_, report_);
        one_trigger();
        buffer_can_be_kept_account_of();
        buffer_holds_what_is_set_aside();
        vlans_name_ports();
        static_entries_lead_somewhere();
        check_aggregations(file_, port_names_, report_);
        check_multicast(file_, port_names_, members_, report_);
        check_mirrors(file_, port_names_, report_);
        check_recorder(file_, port_names_, report_);
    }

  private:
    [[nodiscard]] const std::vector<Value>& ports() const { return file_["ports"].items; }

    void fault(const Value& value, std::string what, std::string remedy) {
        report_.add(value.at, value.path, std::move(what), std::move(remedy));
    }

    void unique(Places& seen, const Value& value, const std::string& text, std::string remedy) {
        const auto [first, is_new] = seen.emplace(text, &value);
        if (is_new) return;
        fault(value, fmt::format("{} is taken by {}", in_quotes(value.text), first->second->path),
              std::move(remedy));
    }

    // Returns a text that is equal for two devices of one network interface, even if they have
    // different schemes. Each `null:` is a device of its own.
    static std::string device_identity(const std::string& device) {
        const DeviceTraits* const traits = traits_of_device(device);
        if (traits == nullptr || traits->target != Target::interface) return device;
        return fmt::format("interface {}", target_of(device));
    }

    void names_and_devices_are_unique() {
        Places names;
        Places devices;
        for (const Value& port : ports()) {
            const Value& name = port["name"];
            if (name.valid) unique(names, name, name.text, "give each port a name of its own");
            const Value& device = port["device"];
            if (!device.valid || device.text == "null:") continue;
            unique(devices, device, device_identity(device.text), "open each device once");
        }
    }

    void workers_exist() {
        const Value& count = file_["workers"]["count"];
        const Value& cores = file_["workers"]["cores"];
        if (!count.valid) return;
        const auto workers = static_cast<std::size_t>(count.number);
        if (cores.written && cores.valid && cores.items.size() != workers) {
            fault(cores,
                  fmt::format("has {} for {}", counted(cores.items.size(), "core"),
                              counted(workers, "worker")),
                  "write one core a worker");
        }
        for (const Value& port : ports()) {
            const Value& worker = port["worker"];
            if (!worker.written || !worker.valid || worker.number < count.number) continue;
            fault(worker, fmt::format("there is no worker {}", worker.number),
                  fmt::format("write 0 to {}, or raise workers.count", workers - 1));
        }
    }

    // In a format without an EtherType, a frame whose first octet is 0x01 may look exactly like MAC
    // control: the other octets of the check are payload there.
    void classes_are_no_control(const Value& port) {
        const auto format = format_named(file_, port["format"].text);
        if (!format || format->ether_type || !format->traffic_class.covers(0)) return;
        const Field& field = format->traffic_class;
        const uint64_t of_control = uint64_t{0x01} >> (8 - field.end()) & field.significant();
        for (const Value& item : port["tc_to_priority"].items) {
            if (!item.valid || static_cast<uint64_t>(item.table_key) != of_control) continue;
            fault(item,
                  fmt::format("a frame of class {} may have the octets of MAC control, and {} has "
                              "no EtherType to distinguish them",
                              item.table_key, port["format"].text),
                  "leave that class unused, or describe a format with the key word in octet 0");
        }
    }

    void one_discipline_a_priority(const Value& scheduler) {
        for (const Value* first = nullptr; const auto& by : SharingSchedulers::choices) {
            const Value& table = scheduler[by.key];
            if (table.items.empty()) continue;
            if (const Value* const other = std::exchange(first, &table))
                fault(table, fmt::format("stands beside {}", other->name), "keep one of the two");
        }
        for (const Value& strict : scheduler["strict"].items) {
            if (!strict.valid) continue;
            for (const auto& by : SharingSchedulers::choices) {
                for (const Value& weighted : scheduler[by.key].items) {
                    if (!weighted.valid || weighted.table_key != strict.number) continue;
                    const auto what =
                        fmt::format("traffic class {} is under {} as well", strict.number, by.key);
                    fault(strict, what, "keep it in one of them");
                }
            }
        }
    }

    // Checks that `lower` is not above `upper`, another key of the same map.
    void is_not_above(const Value& lower, const Value& upper, std::string (*show)(int64_t)) {
        if (!both_valid(lower, upper) || lower.number <= upper.number) return;
        // If only one of the keys is written, the fault is in that key, not in the default.
        const bool fault_in_upper = !lower.written && upper.written;
        fault(fault_in_upper ? upper : lower,
              fmt::format("{} of {} is above {} of {}", lower.name, show(lower.number), upper.name,
                          show(upper.number)),
              fault_in_upper
                  ? fmt::format("write {} or more, or a lower {}", show(lower.number), lower.name)
                  : fmt::format("write {} or less", show(upper.number)));
    }

    // A level that is not written is computed from the other level, so no check is needed.
    void xon_is_not_above_xoff(const Value& port) {
        const Value& xon = port["pfc"]["xon"];
        const Value& xoff = port["pfc"]["xoff"];
        if (!xon.written || !xoff.written || !both_valid(xon, xoff)) return;
        if (xon.number <= xoff.number) return;
        const std::string most = format_size(xoff.number);
        fault(xon, fmt::format("xon of {} is above xoff of {}", format_size(xon.number), most),
              fmt::format("write {} or less, or a higher xoff", most));
    }

    // Returns the levels; if keys that they depend on have faults, only those that are written.
    [[nodiscard]] std::optional<Levels> levels_of(const Value& port) const {
        const Value& buffer = file_["buffer"];
        if (needs_are_known(port, buffer)) return levels(port, buffer);
        const WrittenLevels written = written_levels(port);
        if (!written.xoff) return std::nullopt;
        return Levels{.xoff = *written.xoff, .xon = written.xon.value_or(Bytes(0))};
    }

    // Headroom that is not written is computed, so no check is needed.
    void headroom_is_what_the_link_needs(const Value& port) {
        const Value& buffer = file_["buffer"];
        const Value& written = port["pfc"]["headroom"];
        if (port["lossless"].items.empty() || !written.written || !written.valid) return;
        if (!needs_are_known(port, buffer)) return;
        HeadroomNeeds needs = headroom_needs(port, buffer);
        const std::string due = format_size(headroom_for(needs).count());
        if (written.number >= headroom_for(needs).count()) return;
        if (pauses_by_rings(port)) {
            return fault(written,
                         fmt::format("{} is below the {} that two bursts of {} frames take",
                                     format_size(written.number), due, max_burst),
                         fmt::format("write {} or more", due));
        }
        const std::string relayed =
            needs.relay_delay.count() == 0
                ? ""
                : fmt::format(" and a relay delay of {}", format_time(needs.relay_delay.count()));
        std::string what = fmt::format(
            "{} is below the {} that {} over {} with a response of {}{} needs",
            format_size(written.number), due, format_rate(needs.speed.count()),
            format_length(needs.cable_millimetres), format_time(needs.response.count()), relayed);
        needs.response = Nanos(0);
        const bool a_quick_peer_would_do = written.number >= headroom_for(needs).count();
        fault(written, std::move(what),
              fmt::format("write {} or more{}", due,
                          a_quick_peer_would_do
                              ? ", or a shorter pfc.response if the peer is that quick"
                              : ""));
    }

    // If the trigger of an input is `egress` and that of an output is `ingress`, neither would
    // pause.
    void one_trigger() {
        const Value* first = nullptr;
        for (const Value& port : ports()) {
            const Value& trigger = port["pfc"]["trigger"];
            if (!trigger.valid || port["lossless"].items.empty()) continue;
            if (first == nullptr) first = &trigger;
            if (trigger.text == first->text) continue;
            fault(trigger, fmt::format("{} where {} is {}", trigger.text, first->path, first->text),
                  "write the same for all ports with lossless priorities");
        }
    }

    // ECN asks senders to slow down before PFC has to stop them.
    void ecn_acts_before_pfc(const Value& port) {
        const auto levels = levels_of(port);
        for (const Value& marking : port["ecn"].items) {
            const Value& low = marking["low"];
            const Value& high = marking["high"];
            if (both_valid(low, high) && low.number >= high.number) {
                fault(high,
                      fmt::format("high of {} is not above low of {}", format_size(high.number),
                                  format_size(low.number)),
                      fmt::format("write more than {}, or a lower low", format_size(low.number)));
            }
            if (marking["drop"].number != 0 && port["lossless"].lists(marking.table_key)) {
                fault(marking["drop"],
                      fmt::format("is not supported for priority {}, which is lossless",
                                  marking.table_key),
                      "leave it out, or remove the priority from lossless");
            }
            if (!levels || !both_valid(high, port["pfc"]["xoff"])) continue;
            const int64_t xoff = levels->xoff.count();
            if (high.number <= xoff || !port["lossless"].lists(marking.table_key)) continue;
            fault(high,
                  fmt::format("high of {} is above pfc.xoff of {}, so PFC stops priority {} "
                              "before ECN slows it down",
                              format_size(high.number), format_size(xoff), marking.table_key),
                  fmt::format("write {} or less, or a higher pfc.xoff", format_size(xoff)));
        }
    }

    void frame_fits_quantum(const Value& port) {
        const Value& mtu = port["mtu"];
        const Value& quantum = file_["fabric"]["quantum"];
        if (!both_valid(mtu, quantum) || !quantum.written) return;
        const int64_t largest = largest_frame(port).count();
        if (quantum.number >= largest) return;
        fault(quantum,
              fmt::format("{} is below the {} of a frame with mtu {}", format_size(quantum.number),
                          format_size(largest), mtu.number),
              fmt::format("write {} or more, or leave it out", format_size(largest)));
    }

    // Each frame in the buffer has an entry of 24 octets in a list of its worker.
    void buffer_can_be_kept_account_of() {
        constexpr int64_t most = 64 * 1024 * 1024;
        constexpr int64_t shortest = bare_frame.count();
        const Value& size = file_["buffer"]["size"];
        const Value& cell = file_["buffer"]["cell"];
        if (!both_valid(size, cell)) return;
        const auto frames = [&](int64_t octets) {
            return size.number / std::max(octets, shortest);
        };
        if (frames(cell.number) <= most) return;
        int64_t enough = cell.number;
        while (frames(enough) > most) enough *= 2;
        fault(cell,
              fmt::format(
                  "{} frames fit a buffer.size of {} in cells of {}, but at most {} can be tracked",
                  frames(cell.number), format_size(size.number), format_size(cell.number), most),
              fmt::format("write {} or more, or a smaller buffer.size", format_size(enough)));
    }

    void buffer_holds_what_is_set_aside() {
        const Value& buffer = file_["buffer"];
        const Value& size = buffer["size"];
        const Value& reserved = buffer["reserved"];
        if (!both_valid(size, reserved) || ports().empty()) return;
        const auto count =
            std::max(static_cast<int64_t>(ports().size()), file_["hotplug"]["ports"].number);
        const auto inputs = count + static_cast<int64_t>(further_lanes(file_).size());
        const int64_t queues = inputs * count * static_cast<int64_t>(max_priorities);
        int64_t of_lossless = 0;
        int64_t groups = 0;
        for (const Value& port : ports()) {
            const Value& pfc = port["pfc"];
            if (!both_valid(pfc["headroom"], pfc["reserved"]) || !port["lossless"].valid) return;
            if (!needs_are_known(port, buffer)) return;
            const auto lossless = static_cast<int64_t>(port["lossless"].items.size());
            groups += lossless;
            of_lossless += lossless * set_aside(port, buffer).count();
        }
        const int64_t aside = queues * reserved.number + of_lossless;
        if (aside < size.number) return;
        const std::string parts = fmt::format(
            "leaves nothing to share: {} is reserved in {} VOQs, and {} for headroom, reserve and "
            "a frame each of {} lossless priorities",
            format_size(queues * reserved.number), queues, format_size(of_lossless), groups);
        const bool fault_in_reserved = !size.written && reserved.written;
        if (fault_in_reserved) {
            fault(reserved, fmt::format("a buffer.size of {} {}", format_size(size.number), parts),
                  fmt::format("write a buffer.size above {}, or reserve less", format_size(aside)));
        } else {
            fault(size, fmt::format("{} {}", format_size(size.number), parts),
                  fmt::format("write more than {}, or reserve less", format_size(aside)));
        }
    }

    void vlans_name_ports() {
        std::map<int64_t, const Value*> seen;
        for (const Value& vlan : file_["vlans"].items) {
            for (const Value& port : vlan["ports"].items) {
                const Value* named = port_names_.find(port);
                if (named == nullptr || !is_aware_of_tags(*named)) continue;
                fault(port, fmt::format("port {} sets its VLANs itself", port.text),
                      has_vnis(*named) ? "leave the port out here, its `vnis` decide"
                                       : "leave the port out here, its vlan.mode decides");
            }
            const Value& id = vlan["id"];
            if (!id.valid) continue;
            const auto [first, is_new] = seen.emplace(id.number, &id);
            if (is_new) continue;
            fault(id, fmt::format("VLAN {} is already at {}", id.number, first->second->path),
                  "list its ports in one place");
        }
    }

    [[nodiscard]] std::optional<FormatFamily> family_of(const Value& port) const {
        const auto format = format_named(file_, port["format"].text);
        return format ? std::optional(format->family) : std::nullopt;
    }

    // An entry needs an id if the port's format has ids, else an address.
    bool has_address_of(FormatFamily family, const Value& entry) {
        const Value& address = entry["address"];
        const Value& id = entry["id"];
        const bool ids = has_ids(family);
        const Value& right = ids ? id : address;
        const Value& wrong = ids ? address : id;
        if (wrong.written) {
            fault(wrong, fmt::format("stations of {} have {}", name_of(family), station_of(family)),
                  fmt::format("write {} in its place", right.name));
        } else if (!right.written && right.valid) {
            fault(right, "is missing", "write " + example_of(family, "02:00:00:00:00:01"));
        } else if (ids && right.valid && !is_id(family, right.number)) {
            fault(right, "is too long", "write " + example_of(family, ""));
        }
        return right.written && !wrong.written;
    }

    void static_entries_lead_somewhere() {
        const Value& entries = file_["fdb"]["static"];
        const Value& capacity = file_["fdb"]["capacity"];
        if (capacity.valid && static_cast<int64_t>(entries.items.size()) > capacity.number) {
            fault(entries,
                  fmt::format("{} entries do not fit a capacity of {}", entries.items.size(),
                              capacity.number),
                  "raise fdb.capacity");
        }
        std::map<std::tuple<int64_t, int64_t, int64_t>, const Value*> seen;
        for (const Value& entry : entries.items) {
            const Value* port = port_names_.find(entry["port"]);
            const Value& vlan = entry["vlan"];
            if (port != nullptr && vlan.valid) {
                members_.require(entry["port"], *port, vlan.number, report_);
            }
            const auto family = port != nullptr ? family_of(*port) : std::nullopt;
            if (family && !has_address_of(*family, entry)) continue;
            const Value& address = entry[entry["id"].written ? "id" : "address"];
            if (!both_valid(vlan, address) || !address.written) continue;
            const auto of = static_cast<int64_t>(family.value_or(FormatFamily::ethernet));
            const auto [first, is_new] =
                seen.emplace(std::tuple(of, vlan.number, address.number), &address);
            if (is_new) continue;
            fault(address,
                  fmt::format("VLAN {} has it already at {}", vlan.number, first->second->path),
                  "keep one: an address belongs to one port");
        }
    }

    const Value& file_;
    Report& report_;
    PortNames port_names_;
    VlanMembers members_;
};
}  // namespace

void validate(const Value& file, Report& report) { Rules(file, report).check(); }

}  // namespace sluice::config
