#include "control/ipfix/message.h"

#include "dataplane/types/address.h"

namespace sluice::control::ipfix {

namespace {

constexpr uint16_t version = 10;
constexpr uint16_t set_of_templates = 2;
constexpr uint16_t set_of_options_templates = 3;
constexpr uint16_t enterprise_bit = 0x8000;
constexpr std::size_t template_header = 4;
constexpr std::size_t options_template_header = 6;

std::size_t octets_of(std::span<const Field> fields) {
    std::size_t octets = 0;
    for (const Field& field : fields) octets += field.is_of_enterprise ? 8 : 4;
    return octets;
}

}  // namespace

Message::Message(uint32_t domain, std::size_t longest) : longest_(longest) {
    octets_.reserve(longest);
    octets_.resize(header_octets);
    write_16(octets_.data(), version);
    write_32(octets_.data() + 12, domain);
}

std::size_t Message::template_octets(std::span<const Field> fields) {
    return template_header + octets_of(fields);
}

bool Message::add_template(uint16_t id, std::span<const Field> fields) {
    if (!begin(set_of_templates, template_octets(fields))) return false;
    append(octets_, id);
    append(octets_, static_cast<uint16_t>(fields.size()));
    add_fields(fields);
    end();
    return true;
}

bool Message::add_options_template(uint16_t id, std::span<const Field> fields, std::size_t scopes) {
    if (!begin(set_of_options_templates, options_template_header + octets_of(fields))) return false;
    append(octets_, id);
    append(octets_, static_cast<uint16_t>(fields.size()));
    append(octets_, static_cast<uint16_t>(scopes));
    add_fields(fields);
    end();
    return true;
}

bool Message::add_record(uint16_t id, std::span<const uint8_t> octets) {
    if (!begin(id, octets.size())) return false;
    octets_.insert(octets_.end(), octets.begin(), octets.end());
    ++records_;
    end();
    return true;
}

std::span<const uint8_t> Message::finish(uint32_t seconds, uint32_t sequence) {
    write_16(octets_.data() + 2, static_cast<uint16_t>(octets_.size()));
    write_32(octets_.data() + 4, seconds);
    write_32(octets_.data() + 8, sequence);
    return octets_;
}

void Message::clear() {
    octets_.resize(header_octets);
    set_at_ = 0;
    records_ = 0;
}

bool Message::begin(uint16_t set, std::size_t octets) {
    const bool is_new = set_at_ == 0 || set_ != set;
    if (octets_.size() + (is_new ? set_header_octets : 0) + octets > longest_) return false;
    if (!is_new) return true;
    set_at_ = octets_.size();
    set_ = set;
    append(octets_, set);
    append(octets_, uint16_t{0});
    return true;
}

void Message::add_fields(std::span<const Field> fields) {
    for (const Field& field : fields) {
        const bool bit = field.is_of_enterprise;
        append(octets_, static_cast<uint16_t>(field.element | (bit ? enterprise_bit : 0)));
        append(octets_, field.octets);
        if (bit) append(octets_, field.enterprise);
    }
}

void Message::end() {
    write_16(octets_.data() + set_at_ + 2, static_cast<uint16_t>(octets_.size() - set_at_));
}

}  // namespace sluice::control::ipfix
