// Schema: every key that a configuration may hold, as one table: the kind of its value, its range,
// its default, and a line of help. The reader walks a file along the table, and the reference in
// README.md (reference.h) is made from it, so both always know the same keys.
//
// To add a key:
// 1. its row, where the rows of its map are (port/port_keys.h, ...). Completion, `sluice schema`,
//    faults and restarts use the row;
// 2. its effect, where its subject is read (port/, bridge/, protocols/ or loader.cc);
// 3. README.md: its row, as the failing test prints it.
// A key with `restart` also needs a row in tests/unit/config/difference_test.cc. Tests report a
// missing help, default or row of README.md, and a key that no code reads.
//
// Not done here: rules between two keys (validate.h).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sluice::config {

enum class Kind : uint8_t {
    name,         // name of a port
    device,       // `scheme:rest`
    socket,       // path of a local socket
    folder,       // path of a folder
    endpoint,     // an address and a TCP or UDP port
    origin,       // the origin of a web page, as browsers write it
    text,         // a text of up to `highest` octets
    boolean,      // true or false
    choice,       // one of `choices`, kept as its index
    whole,        // a whole number
    share,        // a share, kept in 1/128
    probability,  // a probability, kept in 1/65536
    size,         // size in octets
    rate,         // rate in bits a second
    time,         // time in nanoseconds
    length,       // length in millimetres
    mask,         // bits, written in hexadecimal
    address,      // MAC address of one station, not of a group
    destination,  // MAC address of a station or a group
    group,        // MAC address of a group, except broadcast and link-local groups
    vlans,        // one VLAN or a range (yaml/vlan_range.h)
    list,         // a list of `fewest` to `most` values, each as inside[0]
    table,        // a table from numbers (inside[0]) to values (inside[1]); each number once
    map,          // a map of the keys `inside`
};

// The key that must be configured for this one to have an effect (unused_keys.h). For a map:
// applies to each key in it.
enum class Needs : uint8_t {
    nothing,
    lossless,        // lossless priorities of the port or its peer
    obeying,         // lossless priorities, or pfc.asymmetric
    pauses,          // lossless priorities, or pfc.link_pause
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
    // The default: `fallback` is a text that is read as if it were in the file; `worked_out`
    // describes how the default is computed.
    std::string_view fallback = {};
    std::string_view worked_out = {};
    bool required = false;
    // A running switch keeps the value that it was started with (difference.h).
    bool restart = false;
    // With `restart`: difference.cc compares the effect of the value, not its text.
    bool by_meaning = false;
    bool own = false;       // a key of `ports[]` that `defaults` does not have
    bool simulated = true;  // a key of `ports[]` that a scenario may have (tools/sim/scenario/)
    Needs needs = Needs::nothing;

    int64_t lowest = 0;  // the range of a number
    int64_t highest = 0;
    bool or_zero = false;  // 0 is valid too, outside the range
    bool power_of_two = false;
    std::span<const std::string_view> choices = {};

    std::span<const Key> inside = {};
    std::size_t fewest = 0;  // the range of the length of a list
    std::size_t most = 0;
    bool distinct = false;           // a list may not have an item twice
    bool or_one = false;             // a single item may be written without the brackets of a list
    std::string_view inherits = {};  // key whose values are the defaults of each map in this list
    bool one_piece = false;  // once the map is written, its keys take no values from `defaults`
};

// The map of the whole file, and the map of one of `ports`.
const Key& schema();
const Key& port_schema();

std::span<const std::string_view> device_schemes();

// Returns the map that is each element of a list or table; null if the elements are no maps.
const Key* element_map(const Key& key);
// Returns the key whose value identifies an element of such a map in a path: its name or its
// required id. Null: elements are identified by their positions.
const Key* label_of_elements(const Key& element);
// Returns the form of a path to any element: `ports[]`, `ecn.N`; empty for keys without elements.
std::string_view any_element(const Key& key);

}  // namespace sluice::config
