#include "tools/sluice/trace/tree.h"

#include <fmt/format.h>

#include <vector>

#include "config/yaml/fault.h"
#include "tools/common/quantities.h"

namespace sluice::cli {

namespace {

struct Node {
    std::string step;
    std::string text;
    std::vector<Node> below = {};
};

void print(const std::vector<Node>& nodes, const std::string& margin, std::string& out) {
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const bool last = n + 1 == nodes.size();
        out += fmt::format("{}{} {:<10} {}\n", margin, last ? "└─" : "├─", nodes[n].step,
                           nodes[n].text);
        print(nodes[n].below, margin + (last ? "   " : "│  "), out);
    }
}

std::string text_at(const Json& row, const char* key) {
    return config::escaped(row.at(key).get<std::string>());
}
std::string size_at(const Json& row, const char* key) {
    return show_size(row.at(key).get<double>());
}
std::string time_at(const Json& row, const char* key) {
    return show_nanos(row.at(key).get<double>());
}
std::string count_at(const Json& row, const char* key) {
    return show_count(row.at(key).get<uint64_t>());
}

std::string list_of(const Json& names) {
    std::string text;
    for (const Json& name : names) {
        text += (text.empty() ? "" : ", ") + config::escaped(name.get<std::string>());
    }
    return text.empty() ? "none" : text;
}

std::string parsed(const Json& headers) {
    if (headers.is_null()) return "its headers cannot be read";
    std::string text = fmt::format("{} > {}, type {}", text_at(headers, "src"),
                                   text_at(headers, "dst"), text_at(headers, "ether_type"));
    if (!headers.at("pcp").is_null()) {
        text += fmt::format(", tag of VLAN {} with PCP {}", headers.at("tag_vlan").get<int>(),
                            headers.at("pcp").get<int>());
    }
    if (!headers.at("dscp").is_null()) text += fmt::format(", DSCP {}", headers["dscp"].get<int>());
    return text;
}

std::string address(const Json& known) {
    if (known.is_null()) return "not known";
    return fmt::format("at {} ({})", text_at(known, "port"), text_at(known, "kind"));
}

std::string looked_up(const Json& found) {
    if (!found.at("member").get<bool>()) return "its port is no member of the VLAN";
    std::string text = text_at(found, "result");
    if (!found.at("destination").is_null()) text += ' ' + address(found["destination"]);
    text += "; to " + list_of(found.at("outputs"));
    if (!found.at("too_long_for").empty())
        text += "; too long for " + list_of(found["too_long_for"]);
    return text + "; source " + address(found.at("source"));
}

// Both kinds of answer begin with these nodes.
std::vector<Node> way_in(const Json& frame) {
    std::vector<Node> nodes = {{"parsed", parsed(frame.at("parsed"))}};
    if (const Json& classified = frame.at("classified"); !classified.is_null()) {
        nodes.push_back(
            {"classified",
             fmt::format("priority {} by {}, VLAN {}", classified.at("priority").get<int>(),
                         text_at(classified, "rule"), classified.at("vlan").get<int>())});
    }
    if (!frame.at("looked_up").is_null())
        nodes.push_back({"looked up", looked_up(frame["looked_up"])});
    if (!frame.at("dropped").is_null()) nodes.push_back({"dropped", text_at(frame, "dropped")});
    return nodes;
}

std::string output_of(const Json& copy) {
    const Json& vtep = copy.at("vtep");
    const std::string to = vtep.is_null()  ? std::string()
                           : vtep == "all" ? " to all VTEPs"
                                           : " to VTEP " + vtep.get<std::string>();
    const Json& vni = copy.at("vni");
    const std::string in = vni.is_null() ? "" : fmt::format(" in VNI {}", vni.get<uint32_t>());
    return fmt::format("{}{}{}{}, priority {}, VLAN {}, tag: {}", text_at(copy, "output"), to, in,
                       copy.at("mirrored").get<bool>() ? " (mirror)" : "",
                       copy.at("priority").get<int>(), copy.at("vlan").get<int>(),
                       text_at(copy, "tag"));
}

std::string admitted(const Json& found) {
    std::string text = fmt::format("{}: {} waited in its VOQ, {}", text_at(found, "way"),
                                   count_at(found, "queue_frames"), size_at(found, "queue_bytes"));
    if (found.at("lossless").get<bool>()) {
        const bool by_credit = found.at("by_credit").get<bool>();
        text += fmt::format("; its group held {}{}, headroom used {} of {}",
                            size_at(found, "group_bytes"),
                            by_credit ? "" : ", XOFF at " + size_at(found, "xoff_bytes"),
                            size_at(found, "headroom_used"), size_at(found, "headroom_bytes"));
        if (by_credit) text += "; its peer uses credit";
        if (found.at("pausing").get<bool>()) text += "; its peer was paused";
    } else {
        text += fmt::format("; threshold {}", size_at(found, "threshold_bytes"));
    }
    text += fmt::format("; {} free in the pool", size_at(found, "pool_free_bytes"));
    if (found.at("output_paused").get<bool>()) text += "; the peer of the output paused it";
    if (found.at("output_lacks_credit").get<bool>()) text += "; the output had no credit";
    return text;
}

Node copy_node(const Json& copy) {
    Node node{"output", output_of(copy)};
    node.below.push_back({"admitted", admitted(copy.at("admitted"))});
    const bool paused = copy.at("paused_ns").get<int64_t>() > 0;
    const std::string state = text_at(copy, "state");
    if (!copy.at("voq_ns").is_null()) {
        node.below.push_back(
            {"VOQ", fmt::format("{} {}", state == "in_voq" ? "waits for" : "waited",
                                time_at(copy, "voq_ns"))});
    }
    if (!copy.at("egress_ns").is_null()) {
        node.below.push_back(
            {"egress", fmt::format("{} {}", state == "in_egress" ? "waits for" : "waited",
                                   time_at(copy, "egress_ns"))});
    }
    if (paused) {
        node.below.push_back({"paused", fmt::format("for {} of that, by the peer of the output",
                                                    time_at(copy, "paused_ns"))});
    }
    if (copy.at("lacked_credit_ns").get<int64_t>() > 0) {
        node.below.push_back({"waited", fmt::format("for {} of that for credit",
                                                    time_at(copy, "lacked_credit_ns"))});
    }
    if (copy.at("marked").get<bool>()) node.below.push_back({"marked", "congestion experienced"});
    if (copy.at("refused_by_device").get<uint64_t>() > 0) {
        node.below.push_back({"refused", fmt::format("{} times by the device",
                                                     count_at(copy, "refused_by_device"))});
    }
    if (state == "sent") {
        node.below.push_back(
            {"sent", fmt::format("{} octets, {} after its arrival", count_at(copy, "length"),
                                 time_at(copy, "after_ns"))});
    } else if (state == "dropped") {
        node.below.push_back(
            {"dropped", fmt::format("{}, {} after its arrival", text_at(copy, "reason"),
                                    time_at(copy, "after_ns"))});
    } else if (state == "trimmed") {
        node.below.push_back({"trimmed", "no room for it: the output above has its first octets"});
    } else {
        node.below.push_back({"waits", state == "in_voq" ? "in its VOQ still" : "in egress still"});
    }
    return node;
}

}  // namespace

std::string render_trace(const Json& traced) {
    std::string out;
    std::size_t number = 0;
    for (const Json& frame : traced.at("frames")) {
        std::vector<Node> nodes = way_in(frame);
        for (const Json& copy : frame.at("copies")) nodes.push_back(copy_node(copy));
        if (const auto more = frame.at("untraced_copies").get<uint64_t>(); more > 0) {
            nodes.push_back({"output", fmt::format("{} more, not traced", show_count(more))});
        }
        out += fmt::format("Frame {}, {}, by {}, {} octets\n", ++number, text_at(frame, "at"),
                           text_at(frame, "port"), count_at(frame, "length"));
        print(nodes, "", out);
    }
    const std::string ended = text_at(traced, "ended");
    if (number == 0) out += "No matching frame was received.\n";
    if (ended == "superseded") out += "Another trace was started, which ended this one.\n";
    return out;
}

std::string render_what_if(const Json& answer) {
    std::vector<Node> nodes = way_in(answer);
    if (!answer.at("storm_control").is_null()) {
        nodes.push_back({"storm", fmt::format("counts against the limit of {}",
                                              text_at(answer, "storm_control"))});
    }
    for (const Json& copy : answer.at("copies")) {
        Node node{"output", output_of(copy)};
        std::string found =
            fmt::format("{} in its VOQ, {}, and {} in egress", count_at(copy, "queue_frames"),
                        size_at(copy, "queue_bytes"), count_at(copy, "egress_frames"));
        if (copy.at("output_paused").get<bool>()) found += "; its peer pauses it";
        if (copy.at("output_lacks_credit").get<bool>()) found += "; it has no credit";
        node.below.push_back({copy.at("lossless").get<bool>() ? "lossless" : "lossy", found});
        node.below.push_back(copy.at("reason").is_null()
                                 ? Node{"sent", fmt::format("{} octets", count_at(copy, "length"))}
                                 : Node{"dropped", text_at(copy, "reason")});
        nodes.push_back(std::move(node));
    }
    std::string out = fmt::format("A frame by {}, {} octets\n", text_at(answer, "port"),
                                  count_at(answer, "length"));
    print(nodes, "", out);
    return out;
}

}  // namespace sluice::cli
