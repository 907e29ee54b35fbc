// IpfixExporter: samples of queues and groups as a stream of IPFIX messages (RFC 7011): its
// templates, when they are sent, and the numbers of messages.
//
// A template has the time of the sample, observationTimeNanoseconds, and one statistic of many
// queues or groups, as in SONiC's high-frequency telemetry (statistics.h): no element id occurs
// twice in a template. SONiC's design requires this, and pmacct reads only the first of equal ids.
// A template that does not fit one message is split into several, each with the time. An options
// template has a record for each field, from which collectors learn the name of the field,
// `STATISTIC|PORT|PRIORITY`, its type, its unit and whether it is a counter (RFC 5610). A record
// has all elements of clause 3.9 of that RFC, because otherwise libfixbuf takes the record for
// data. These records are sent before the templates, as libfixbuf looks for names when it receives
// a template. Over UDP the loss of a template is not detected, so all templates are sent again from
// time to time (8.4), and a new layout gets template ids that no earlier layout had, until the ids
// run out.
// Bound: one message, and some words a field. A call of `add` sends the messages of one sample.
// Not done here: sampling, and delivery to collectors (manager.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "control/ipfix/message.h"
#include "control/ipfix/statistics.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice::control::ipfix {

// A time of CLOCK_REALTIME, in nanoseconds.
struct Utc {
    int64_t nanos = 0;
};
// Returns the time as dateTimeNanoseconds (RFC 7011, 6.1.10): seconds since 1900, and fractions of
// 1/2^32 s.
constexpr uint64_t ntp_time(Utc at) {
    constexpr int64_t second = 1'000'000'000;
    constexpr uint64_t from_1900_to_1970 = 2'208'988'800;
    const auto seconds = static_cast<uint64_t>(at.nanos / second) + from_1900_to_1970;
    return seconds << 32 | (static_cast<uint64_t>(at.nanos % second) << 32) / second;
}

// A queue or a group. A sample has the counters of all objects one after the other.
struct Object {
    ObjectType type = ObjectType::queue;
    uint16_t id = 0;
    std::string name;  // `port|priority`
    friend bool operator==(const Object&, const Object&) = default;
};
using Layout = std::vector<std::vector<Object>>;  // by worker index

[[nodiscard]] std::span<const Statistic> statistics_of(ObjectType type);

class Exporter {
  public:
    using Send = std::function<void(std::span<const uint8_t>)>;
    struct Settings {
        uint32_t domain = 1;
        std::size_t longest = 1452;  // largest message in octets
        Nanos refresh{10'000'000'000};
    };

    Exporter(Send send, const Settings& settings);

    // Sets new settings, after which a new layout has to be set. Unsent messages are discarded.
    // Template ids and numbers of records continue, as collectors see one continuous session.
    void configure(const Settings& settings);
    // Sets the layout of the samples of each worker.
    void set_layout(const Layout& layout);
    // Sends the templates and the names, if they are due.
    void refresh(Nanos now, Utc utc);
    // Adds a sample of a worker: `values` in the order of the layout.
    void add(WorkerIndex worker, Utc at, std::span<const uint64_t> values, Utc utc);
    // Sends the unfinished message, if any.
    void flush(Utc utc);

    [[nodiscard]] uint64_t messages() const { return messages_; }
    [[nodiscard]] uint64_t records() const { return records_; }  // all data records so far
    [[nodiscard]] std::size_t templates() const;
    // Returns the id of the worker's first template; the ids of its other templates follow.
    [[nodiscard]] uint16_t template_of(WorkerIndex worker) const {
        return workers_[worker].first_template;
    }

  private:
    struct Part {
        std::vector<Field> fields;         // fields without the time
        std::vector<std::size_t> columns;  // position of each field in the sample
    };
    struct Worker {
        uint16_t first_template = 0;
        std::vector<Part> parts;
        std::vector<Object> objects;
    };

    void lay_out(Worker& worker) const;
    void send_templates(Utc utc);
    void send_names(const Object& object, Utc utc);
    void add_record(uint16_t id, Utc utc);

    const Send send_;
    Settings settings_;
    Message message_;
    std::vector<Worker> workers_;
    uint32_t next_template_;
    bool is_new_ = true;  // no template of this layout was sent yet
    Nanos next_refresh_;
    uint64_t records_ = 0;
    uint64_t messages_ = 0;
    std::vector<uint8_t> record_;
};

}  // namespace sluice::control::ipfix
