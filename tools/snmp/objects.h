// Objects: instances of managed objects in the order of their names, for GET and GETNEXT
// (RFC 3416).
//
// Bound: the objects that were added. A snapshot is replaced, never changed. Uses no SNMP library.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sluice::snmp {

using Oid = std::vector<uint32_t>;

struct Value {
    enum class Kind : uint8_t { integer, gauge, counter, counter_64, time_ticks, octets, object };

    Kind kind = Kind::integer;
    uint64_t number = 0;
    std::string octets = {};
    Oid object = {};

    friend bool operator==(const Value&, const Value&) = default;
};

inline Value integer(uint64_t number) {  // Integer32
    return {Value::Kind::integer, std::min<uint64_t>(number, INT32_MAX)};
}
inline Value truth(bool is) { return integer(is ? 1 : 2); }  // TruthValue of RFC 2579
inline Value gauge(uint64_t number) {
    return {Value::Kind::gauge, std::min<uint64_t>(number, UINT32_MAX)};
}
inline Value counter(uint64_t number) {
    return {Value::Kind::counter, static_cast<uint32_t>(number)};
}
inline Value counter_64(uint64_t number) { return {Value::Kind::counter_64, number}; }
inline Value time_ticks(uint64_t hundredths) {
    return {Value::Kind::time_ticks, static_cast<uint32_t>(hundredths)};
}
inline Value octets(std::string text) { return {Value::Kind::octets, 0, std::move(text)}; }
inline Value object(Oid name) { return {Value::Kind::object, 0, {}, std::move(name)}; }

// Appends `end` to the name `start`.
inline Oid joined(Oid start, const Oid& end) {
    start.insert(start.end(), end.begin(), end.end());
    return start;
}

class Objects {
  public:
    using Map = std::map<Oid, Value>;

    // Sets instance `group.number.0`.
    void put(const Oid& group, uint32_t number, Value value) {
        objects_.insert_or_assign(joined(group, {number, 0}), std::move(value));
    }
    // Sets a column of one row of a table.
    void put(const Oid& entry, uint32_t column, const Oid& index, Value value) {
        objects_.insert_or_assign(joined(joined(entry, {column}), index), std::move(value));
    }
    // Sets columns of one row.
    void put_row(const Oid& entry, const Oid& index,
                 std::initializer_list<std::pair<uint32_t, Value>> columns) {
        for (const auto& [column, value] : columns) put(entry, column, index, value);
    }

    [[nodiscard]] const Value* find(const Oid& name) const {
        const auto found = objects_.find(name);
        return found == objects_.end() ? nullptr : &found->second;
    }
    // Returns the first object after `name`; with `at_it`, `name` itself is included. Null: there
    // is none.
    [[nodiscard]] const Map::value_type* behind(const Oid& name, bool at_it) const {
        const auto found = at_it ? objects_.lower_bound(name) : objects_.upper_bound(name);
        return found == objects_.end() ? nullptr : &*found;
    }
    [[nodiscard]] const Map& all() const { return objects_; }

  private:
    Map objects_;
};

}  // namespace sluice::snmp
