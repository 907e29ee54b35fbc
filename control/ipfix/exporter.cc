#include "control/ipfix/exporter.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sluice::control::ipfix {

namespace {

// Information elements of IPFIX, by their numbers at IANA.
constexpr Field time_of_sample{325, 8};  // observationTimeNanoseconds
constexpr auto names = std::to_array<Field>({
    {346, 4},                // privateEnterpriseNumber
    {303, 2},                // informationElementId; the scope ends here
    {339, 1},                // informationElementDataType
    {344, 1},                // informationElementSemantics
    {345, 2},                // informationElementUnits
    {342, 8},                // informationElementRangeBegin
    {343, 8},                // informationElementRangeEnd; both 0: no range
    {341, variable_length},  // informationElementName
    {340, variable_length},  // informationElementDescription
});
constexpr std::size_t scopes_of_names = 2;
constexpr uint8_t unsigned64 = 4;

constexpr uint16_t template_of_names = first_template_id;
constexpr uint16_t first_of_layout = template_of_names + 1;
constexpr std::size_t counter_octets = 8;

}  // namespace

std::span<const Statistic> statistics_of(ObjectType type) {
    if (type == ObjectType::queue) return of_queue;
    return of_group;
}

Exporter::Exporter(Send send, const Settings& settings)
    : send_(std::move(send)),
      settings_(settings),
      message_(settings.domain, settings.longest),
      next_template_(first_of_layout) {}

void Exporter::configure(const Settings& settings) {
    settings_ = settings;
    message_ = Message(settings.domain, settings.longest);
}

void Exporter::set_layout(const Layout& layout) {
    message_.clear();
    workers_.clear();
    std::size_t needed = 0;
    for (const std::vector<Object>& objects : layout) {
        Worker& worker = workers_.emplace_back();
        worker.objects = objects;
        lay_out(worker);
        needed += worker.parts.size();
    }
    if (needed > std::size_t{0x10000} - next_template_) next_template_ = first_of_layout;
    for (Worker& worker : workers_) {
        worker.first_template = static_cast<uint16_t>(next_template_);
        next_template_ += static_cast<uint32_t>(worker.parts.size());
    }
    is_new_ = true;
}

void Exporter::lay_out(Worker& worker) const {
    // The most fields of a template: those for which a message has room both in the template and in
    // a record. A field takes as many octets in the template as in a record; the headers and the
    // time take `beside` octets.
    const std::size_t beside =
        Message::header_octets + Message::set_header_octets +
        std::max(Message::template_octets({&time_of_sample, 1}), counter_octets);
    const std::size_t most = (settings_.longest - beside) / counter_octets;
    const auto add_type = [&](ObjectType type) {
        std::size_t first = 0;
        for (const Statistic& statistic : statistics_of(type)) {
            worker.parts.emplace_back();
            std::size_t column = 0;
            for (const Object& object : worker.objects) {
                if (object.type == type) {
                    if (worker.parts.back().fields.size() == most) worker.parts.emplace_back();
                    worker.parts.back().fields.push_back(
                        {object.id, counter_octets, statistic.enterprise(), true});
                    worker.parts.back().columns.push_back(column + first);
                }
                column += statistics_of(object.type).size();
            }
            if (worker.parts.back().fields.empty()) worker.parts.pop_back();
            ++first;
        }
    };
    add_type(ObjectType::queue);
    add_type(ObjectType::ingress_priority_group);
}

std::size_t Exporter::templates() const {
    std::size_t sum = 0;
    for (const Worker& worker : workers_) sum += worker.parts.size();
    return sum;
}

void Exporter::refresh(Nanos now, Utc utc) {
    if (!is_new_ && now < next_refresh_) return;
    is_new_ = false;
    next_refresh_ = now + settings_.refresh;
    flush(utc);
    message_.add_options_template(template_of_names, names, scopes_of_names);
    for (const Worker& worker : workers_) {
        for (const Object& object : worker.objects) send_names(object, utc);
    }
    send_templates(utc);
    flush(utc);
}

void Exporter::send_templates(Utc utc) {
    flush(utc);
    for (const Worker& worker : workers_) {
        uint16_t id = worker.first_template;
        for (const Part& part : worker.parts) {
            std::vector<Field> fields{time_of_sample};
            fields.insert(fields.end(), part.fields.begin(), part.fields.end());
            if (!message_.add_template(id, fields)) {
                flush(utc);
                message_.add_template(id, fields);
            }
            ++id;
        }
    }
}

void Exporter::send_names(const Object& object, Utc utc) {
    for (const Statistic& statistic : statistics_of(object.type)) {
        const std::string name = std::string(statistic.name) + "|" + object.name;
        record_.clear();
        append(record_, statistic.enterprise());
        append(record_, object.id);
        append(record_, unsigned64);
        append(record_, static_cast<uint8_t>(statistic.semantics));
        append(record_, static_cast<uint16_t>(statistic.units));
        append(record_, uint64_t{0});
        append(record_, uint64_t{0});
        append(record_, static_cast<uint8_t>(name.size()));
        record_.insert(record_.end(), name.begin(), name.end());
        append(record_, uint8_t{0});  // empty informationElementDescription
        add_record(template_of_names, utc);
    }
}

void Exporter::add(WorkerIndex worker, Utc at, std::span<const uint64_t> values, Utc utc) {
    const Worker& of = workers_[worker];
    uint16_t id = of.first_template;
    for (const Part& part : of.parts) {
        record_.clear();
        append(record_, ntp_time(at));
        for (const std::size_t column : part.columns) append(record_, values[column]);
        add_record(id++, utc);
    }
}

void Exporter::add_record(uint16_t id, Utc utc) {
    if (message_.add_record(id, record_)) return;
    flush(utc);
    message_.add_record(id, record_);
}

void Exporter::flush(Utc utc) {
    if (message_.empty()) return;
    constexpr int64_t second = 1'000'000'000;
    send_(message_.finish(static_cast<uint32_t>(utc.nanos / second),
                          static_cast<uint32_t>(records_)));
    records_ += message_.records();
    ++messages_;
    message_.clear();
}

}  // namespace sluice::control::ipfix
