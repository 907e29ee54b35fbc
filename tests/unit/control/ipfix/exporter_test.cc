// The stream of messages that a collector gets: templates, names, numbers, lengths.
#include "control/ipfix/exporter.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "dataplane/types/address.h"

namespace sluice::control::ipfix {
namespace {

using namespace sluice::literals;

constexpr Utc now_utc{1'700'000'000'500'000'000};

// A collector that reads the exporter's messages by RFC 7011, and checks each length.
struct Reader {
    struct Template {
        std::vector<Field> fields;
    };
    struct Record {
        uint16_t id;
        std::vector<uint64_t> values;
    };

    void read(std::span<const uint8_t> message) {
        lengths.push_back(message.size());
        ASSERT_GE(message.size(), 16U);
        EXPECT_EQ(read_16(&message[0]), 10);
        EXPECT_EQ(read_16(&message[2]), message.size());
        EXPECT_EQ(number(message.subspan(4, 4)), 1'700'000'000U);
        EXPECT_EQ(number(message.subspan(8, 4)), data_records) << "the sequence number";
        EXPECT_EQ(number(message.subspan(12, 4)), domain);
        for (auto rest = message.subspan(16); !rest.empty();) {
            const std::size_t length = read_16(&rest[2]);
            ASSERT_GE(rest.size(), length);
            read_set(read_16(&rest[0]), rest.subspan(4, length - 4));
            rest = rest.subspan(length);
        }
    }
    void read_set(uint16_t id, std::span<const uint8_t> octets) {
        while (!octets.empty()) {
            if (id == 2 || id == 3) {
                octets = read_template(octets, id == 3);
            } else {
                octets = read_record(id, octets);
            }
        }
    }
    std::span<const uint8_t> read_template(std::span<const uint8_t> octets, bool has_scope) {
        Template& known = templates[read_16(&octets[0])];
        known.fields.resize(read_16(&octets[2]));
        octets = octets.subspan(has_scope ? 6 : 4);
        for (Field& field : known.fields) {
            field.element = read_16(&octets[0]) & 0x7FFF;
            field.octets = read_16(&octets[2]);
            field.is_of_enterprise = (octets[0] & 0x80) != 0;
            octets = octets.subspan(4);
            if (!field.is_of_enterprise) continue;
            field.enterprise = static_cast<uint32_t>(number(octets.first(4)));
            octets = octets.subspan(4);
        }
        return octets;
    }
    std::span<const uint8_t> read_record(uint16_t id, std::span<const uint8_t> octets) {
        EXPECT_TRUE(templates.contains(id)) << id << " comes before its template";
        ++data_records;
        Record& record = records.emplace_back();
        record.id = id;
        for (const Field& field : templates[id].fields) {
            std::size_t length = field.octets;
            if (length == variable_length) {
                length = octets[0];
                if (field.element == 341)
                    names.emplace_back(octets.begin() + 1, octets.begin() + 1 + octets[0]);
                octets = octets.subspan(1);
            } else {
                record.values.push_back(number(octets.first(length)));
            }
            octets = octets.subspan(length);
        }
        return octets;
    }
    static uint64_t number(std::span<const uint8_t> octets) {
        uint64_t value = 0;
        for (const uint8_t octet : octets) value = value << 8 | octet;
        return value;
    }
    [[nodiscard]] std::vector<Record> samples() const {
        std::vector<Record> of_samples;
        for (const Record& record : records) {
            if (record.id != first_template_id) of_samples.push_back(record);
        }
        return of_samples;
    }

    uint32_t domain = 5;
    uint64_t data_records = 0;
    std::vector<std::size_t> lengths;
    std::map<uint16_t, Template> templates;
    std::vector<Record> records;
    std::vector<std::string> names;
};

std::vector<Object> queues(std::size_t count) {
    std::vector<Object> objects;
    for (std::size_t n = 0; n < count; ++n) {
        objects.push_back(
            {ObjectType::queue, static_cast<uint16_t>(n + 1), fmt::format("p{}|{}", n / 8, n % 8)});
    }
    return objects;
}

struct Exported {
    explicit Exported(const Layout& layout, std::size_t longest = 1452) {
        exporter = std::make_unique<Exporter>(
            [this](std::span<const uint8_t> message) { reader.read(message); },
            Exporter::Settings{.domain = 5, .longest = longest, .refresh = 10_s});
        exporter->set_layout(layout);
    }
    Reader reader;
    std::unique_ptr<Exporter> exporter;
};

TEST(IpfixExporter, SendsTemplatesNamesAndSamplesWithTheirTime) {
    Exported at(
        {{{ObjectType::queue, 12, "p1|3"}, {ObjectType::ingress_priority_group, 4, "p0|3"}}});
    at.exporter->refresh(0_s, now_utc);
    at.exporter->add(0, {1'600'000'000'250'000'000}, std::vector<uint64_t>{1, 2, 3, 4, 5, 6},
                     now_utc);
    at.exporter->flush(now_utc);
    const std::vector<uint32_t> enterprises{0x0015'0000, 0x0015'0002, 0x0015'0022,
                                            0x0015'0018, 0x001A'0002, 0x001A'0006};
    const auto samples = at.reader.samples();
    ASSERT_EQ(samples.size(), enterprises.size()) << "a template each statistic";
    for (std::size_t n = 0; n < enterprises.size(); ++n) {
        const Reader::Record& record = samples[n];
        const auto& fields = at.reader.templates.at(record.id).fields;
        ASSERT_EQ(fields.size(), 2U);
        EXPECT_EQ(fields[0].element, 325);
        EXPECT_FALSE(fields[0].is_of_enterprise);
        EXPECT_TRUE(fields[1].is_of_enterprise);
        EXPECT_EQ(fields[1].octets, 8);
        EXPECT_EQ(fields[1].element, n < 4 ? 12 : 4);
        EXPECT_EQ(fields[1].enterprise, enterprises[n]);
        // 1,600,000,000 s after 1970 and a quarter, in seconds from 1900.
        EXPECT_EQ(record.values,
                  (std::vector<uint64_t>{3'808'988'800ULL << 32 | 0x4000'0000, n + 1}));
    }
    ASSERT_EQ(at.reader.names.size(), 6U);
    EXPECT_EQ(at.reader.names[0], "SAI_QUEUE_STAT_PACKETS|p1|3");
    EXPECT_EQ(at.reader.names[5],
              "SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_CURR_OCCUPANCY_BYTES|p0|3");
    // Enterprise, element, unsigned64, totalCounter, frames, no range.
    EXPECT_EQ(at.reader.records[0].values,
              (std::vector<uint64_t>{0x0015'0000, 12, 4, 2, 13, 0, 0}));
    // Octets, which go up and down.
    EXPECT_EQ(at.reader.records[3].values, (std::vector<uint64_t>{0x0015'0018, 12, 4, 1, 2, 0, 0}));
    EXPECT_EQ(at.exporter->records(), 12U);
}

TEST(IpfixExporter, CutsWhatDoesNotFitAMessage) {
    for (const std::size_t longest : {548U, 1452U, 1472U, 9188U}) {
        Exported at({queues(512)}, longest);
        at.exporter->refresh(0_s, now_utc);
        std::vector<uint64_t> values(512 * 4);
        for (std::size_t n = 0; n < values.size(); ++n) values[n] = n;
        at.exporter->add(0, now_utc, values, now_utc);
        at.exporter->flush(now_utc);
        for (const std::size_t length : at.reader.lengths) EXPECT_LE(length, longest);
        EXPECT_EQ(at.reader.names.size(), values.size());
        std::map<std::pair<uint32_t, uint16_t>, uint64_t> sampled;
        for (const auto& record : at.reader.samples()) {
            EXPECT_EQ(record.values[0], ntp_time(now_utc)) << "each part has the time";
            const auto& fields = at.reader.templates[record.id].fields;
            std::set<uint16_t> elements;
            for (std::size_t n = 1; n < fields.size(); ++n) {
                EXPECT_TRUE(elements.insert(fields[n].element).second) << "once a template";
                sampled[{fields[n].enterprise, fields[n].element}] = record.values[n];
            }
        }
        EXPECT_EQ(sampled.size(), values.size());
        for (std::size_t n = 0; n < values.size(); ++n) {
            const uint16_t object = static_cast<uint16_t>(n / 4 + 1);
            EXPECT_EQ((sampled[{of_queue[n % 4].enterprise(), object}]), n);
        }
        EXPECT_EQ(at.reader.samples().size(), at.exporter->templates());
    }
}

TEST(IpfixExporter, FillsMessagesWithSeveralSamplesOfAllWorkers) {
    Exported at({queues(2), {}, queues(1)});
    at.exporter->refresh(0_s, now_utc);
    const std::size_t before = at.reader.lengths.size();
    for (int n = 0; n < 3; ++n) {
        at.exporter->add(0, now_utc, std::vector<uint64_t>(8), now_utc);
        at.exporter->add(2, now_utc, std::vector<uint64_t>(4), now_utc);
    }
    at.exporter->flush(now_utc);
    EXPECT_EQ(at.reader.lengths.size(), before + 1) << "one message";
    EXPECT_EQ(at.reader.samples().size(), 2U * 4 * 3);
    EXPECT_NE(at.exporter->template_of(0), at.exporter->template_of(2));
    at.exporter->flush(now_utc);
    EXPECT_EQ(at.reader.lengths.size(), before + 1) << "none that is empty";
}

TEST(IpfixExporter, SendsTemplatesAgainByTimeAndForANewLayout) {
    Exported at({queues(1)});
    at.exporter->refresh(1_s, now_utc);
    EXPECT_EQ(at.reader.names.size(), 4U);
    at.exporter->refresh(10_s, now_utc);
    EXPECT_EQ(at.reader.names.size(), 4U);
    at.exporter->refresh(11_s, now_utc);
    EXPECT_EQ(at.reader.names.size(), 8U);
    const uint16_t old = at.exporter->template_of(0);
    at.exporter->set_layout({queues(2)});
    EXPECT_GT(at.exporter->template_of(0), old) << "what is on its way is read by the old one";
    at.exporter->refresh(11_s, now_utc);
    EXPECT_EQ(at.reader.names.size(), 16U);
}

TEST(IpfixExporter, HasTemplateIdsHoweverOftenTheLayoutChanges) {
    Exported at({queues(1)});
    for (int n = 0; n < 70'000; ++n) {
        at.exporter->set_layout({queues(1)});
        ASSERT_GE(at.exporter->template_of(0), 257);
    }
}

TEST(IpfixExporter, TellsTimeAsNtpDoes) {
    EXPECT_EQ(ntp_time({0}), 2'208'988'800ULL << 32);
    EXPECT_EQ(ntp_time({999'999'999}) & UINT32_MAX, 4'294'967'291U);
}

}  // namespace
}  // namespace sluice::control::ipfix
