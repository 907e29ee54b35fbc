// Schema: every key that a configuration may hold, as one table: the kind of its value, its range,
// its default, and a line of help. The reader walks a file along the table, and the reference in
// README.md (reference.h) is made from it, so both always know the same keys.
//
// To add a key:
//   1. its row, where its map's rows are (port/port_keys.h, ...), as key_row.h has it: all that is
//      known of it stands there, and completion, `sluice schema`, faults and restarts follow from
//      it;
//   2. where its subject is read (port/, bridge/, protocols/ or loader.cc): what it does;
//   3. README.md: its row, as the failing test prints it.
// A key with `restart` has a row in tests/unit/config/difference_test.cc. Tests report what is
// missing: a help, a default, the README's row, code that reads the key.
//
// Not done here: rules that tie two keys together (validate.h).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sluice::config {

enum class Kind : uint8_t {
    name,         // of a port
    device,       // scheme:rest
    socket,       // a path for a local socket
    folder,       // a path for a folder
    endpoint,     // an address and a port of TCP or UDP
    origin,       // of a web page, as browsers write it
    text,         // words, up to `highest` octets
    boolean,      // true, false
    choice,       // one of `choices`; its number is the index there
    whole,        // a whole number
    share,        // in 1/128
    probability,  // in 1/65536
    size,         // octets
    rate,         // bits a second
    time,         // nanoseconds
    length,       // millimetres
    mask,         // bits, in hexadecimal
    address,      // of one station: not a group's
    destination,  // address of a station or a group
    group,        // address of a group: not everybody's, and none that stays on its link
    vlans,        // one VLAN or a range (yaml/vlan_range.h)
    list,         // of inside[0], from `fewest` to `most` of them
    table,        // from the number inside[0] to inside[1], no number twice
    map,          // of the keys `inside`
};

// The key that must be configured for this one to have an effect (unused_keys.h). For a map:
// applies to each key in it.
enum class Needs : uint8_t {
    nothing,
    lossless,        // lossless priorities, its own or its peer's
    obeying,         // those, or pfc.asymmetric
    pauses,          // those, or pfc.link_pause
    rates,           // a rate of storm_control
    trimming,        // trim.dscp
    credit,          // flow_control: credit
    retry,           // retry.enabled
    snooping,        // multicast.snooping
    querying,        // multicast.querier.vlans
    weighted,        // fabric.rule: weighted
    something_kept,  // state.fdb or state.counters
    sflow,           // sflow.collectors
    ipfix,           // ipfix.collectors
    csig,            // csig.compact.tpid or csig.wide.tpid
    csig_compact,    // csig.compact.tpid
    csig_wide,       // csig.wide.tpid
    csig_updates,    // csig.mode: update
};

struct Key {
    std::string_view name;
    Kind kind = Kind::whole;
    std::string_view help = {};
    // The default: a text that is read as if it were in the file; or a description of how it is
    // computed.
    std::string_view fallback = {};
    std::string_view worked_out = {};
    bool required = false;
    bool restart = false;     // a running switch keeps what it was started with (difference.h)
    bool by_meaning = false;  // `restart`: difference.cc compares what it comes to, not the text
    bool own = false;         // of `ports[]`: not under `defaults`
    bool simulated = true;    // of `ports[]`: a scenario may say it (tools/sim/scenario/)
    Needs needs = Needs::nothing;

    int64_t lowest = 0;  // of a number
    int64_t highest = 0;
    bool or_zero = false;  // 0 is right besides
    bool power_of_two = false;
    std::span<const std::string_view> choices = {};

    std::span<const Key> inside = {};
    std::size_t fewest = 0;  // of a list
    std::size_t most = 0;
    bool distinct = false;           // a list holds nothing twice
    bool or_one = false;             // an item alone stands for a list of it
    std::string_view inherits = {};  // a list whose maps take what they do not write from this key
    bool one_piece = false;          // a map that, once written, takes nothing from there
};

// The whole file, and one of `ports`: maps.
const Key& schema();
const Key& port_schema();

std::span<const std::string_view> device_schemes();

// Returns the map that is each element of a list or table; null if the elements are no maps.
const Key* element_map(const Key& key);
// The key whose value identifies an element of such a map in a path: its name or its required id.
// Null: it has neither, and is identified by its position.
const Key* label_of_elements(const Key& element);
// Returns how a path names any element: `ports[]`, `ecn.N`; empty for keys without elements.
std::string_view any_element(const Key& key);

}  // namespace sluice::config
