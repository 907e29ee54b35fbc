// IpfixMessage: one message of IPFIX (RFC 7011): a header, and sets of templates (3.4.1), of
// options templates (3.4.2.2) and of data records (3.4.3), all numbers with the highest octet
// first.
//
// Consecutive records of one template share a set. No set is padded (3.3.1 leaves that to the
// exporter). Bound: `longest` octets, so that a message fits a datagram of the path (10.3.3);
// records without room are added to the next message. Not done here: choosing and repeating
// templates (exporter.h), and sending messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sluice::control::ipfix {

inline constexpr uint16_t variable_length = 0xFFFF;  // RFC 7011, 7
inline constexpr uint16_t first_template_id = 256;

// An information element of a template.
struct Field {
    uint16_t element = 0;
    uint16_t octets = 0;
    uint32_t enterprise = 0;  // 0: an element of IANA
    bool is_of_enterprise = false;
};

// Appends a number, the highest octet first.
template <class Number>
void append(std::vector<uint8_t>& octets, Number value) {
    for (int shift = 8 * (static_cast<int>(sizeof value) - 1); shift >= 0; shift -= 8)
        octets.push_back(static_cast<uint8_t>(value >> shift));
}

class Message {
  public:
    static constexpr std::size_t header_octets = 16;
    static constexpr std::size_t set_header_octets = 4;

    Message(uint32_t domain, std::size_t longest);

    // These functions return false, and add nothing, if there is no room.
    bool add_template(uint16_t id, std::span<const Field> fields);
    // The first `scopes` fields are the scope, to which the other fields apply; `scopes` is at
    // least 1.
    bool add_options_template(uint16_t id, std::span<const Field> fields, std::size_t scopes);
    // Adds a record of the template `id`.
    bool add_record(uint16_t id, std::span<const uint8_t> octets);
    [[nodiscard]] bool empty() const { return octets_.size() == header_octets; }
    [[nodiscard]] uint32_t records() const { return records_; }  // number of data records
    // Returns the whole message, ready to be sent. `sequence`: the number of records in all
    // messages before it.
    std::span<const uint8_t> finish(uint32_t seconds, uint32_t sequence);
    // Begins the next message.
    void clear();

    // Returns how many octets a template with these fields has.
    static std::size_t template_octets(std::span<const Field> fields);

  private:
    // Makes room in a set with this id: in the last set, or in a new one.
    bool begin(uint16_t set, std::size_t octets);
    void add_fields(std::span<const Field> fields);
    void end();

    std::size_t longest_;
    std::vector<uint8_t> octets_;
    std::size_t set_at_ = 0;  // offset of the last set; 0: there is none
    uint16_t set_ = 0;
    uint32_t records_ = 0;
};

}  // namespace sluice::control::ipfix
