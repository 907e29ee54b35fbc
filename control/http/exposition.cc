#include "control/http/exposition.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "control/http/metric_family.h"
#include "dataplane/latency/wait_histogram.h"

namespace sluice::control::http {

namespace {

// The value of a metric. Integers are kept as integers, because a counter above 2^53 does not fit a
// double.
struct Value {
    uint64_t whole = 0;
    double fraction = 0;
    bool is_whole = true;
};

std::string escaped_label(std::string_view text) {
    std::string escaped;
    for (const char each : text) {
        if (each == '\\' || each == '"') escaped += '\\';
        if (each == '\n') {
            escaped += "\\n";
        } else {
            escaped += each;
        }
    }
    return escaped;
}

std::string labels_of(const MetricFamily& family, const Json& row) {
    std::string text;
    for (const Label& label : family.labels) {
        const Json& value = row.at(std::string(label.key));
        const std::string shown = value.is_string() ? value.get<std::string>() : value.dump();
        text +=
            fmt::format("{}{}=\"{}\"", text.empty() ? "{" : ",", label.name, escaped_label(shown));
    }
    return text.empty() ? text : text + '}';
}

// Returns empty if the row has no such value, such as XOFF and XON levels of a lossy group.
std::optional<Value> value_of(const MetricFamily& family, const Json& row) {
    if (family.type == Type::info) return Value{.whole = 1};
    const Json::json_pointer key{std::string(family.key)};
    if (!row.contains(key)) return {};
    const Json& value = row[key];
    if (value.is_null()) return {};
    if (value.is_array()) return Value{.whole = value.size()};
    if (value.is_boolean()) return Value{.whole = value.get<bool>() ? 1U : 0U};
    if (value.is_string()) return Value{.whole = value == family.equal_to ? 1U : 0U};
    if (family.divisor == 1 && value.is_number_integer() && value >= 0) {
        return Value{.whole = value.get<uint64_t>()};
    }
    return Value{.fraction = value.get<double>() / family.divisor, .is_whole = false};
}

void add(Value& sum, const Value& more, Combine combine) {
    const bool is_max = combine == Combine::max;
    sum.whole = is_max ? std::max(sum.whole, more.whole) : sum.whole + more.whole;
    sum.fraction = is_max ? std::max(sum.fraction, more.fraction) : sum.fraction + more.fraction;
    sum.is_whole = sum.is_whole && more.is_whole;
}

std::string text_of(const Value& value) {
    return value.is_whole ? fmt::format("{}", value.whole) : fmt::format("{}", value.fraction);
}

class Writer {
  public:
    explicit Writer(TextFormat format) : format_(format) {}

    void write(const MetricFamily& family, const Json& noun) {
        const std::string sample = std::string(family.name) + suffix_of(family.type);
        const std::string_view family_name =
            format_ == TextFormat::openmetrics ? family.name : std::string_view(sample);
        text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", family_name, family.help, family_name,
                             name_of(family.type));
        if (!family.unit.empty()) text_ += fmt::format("# UNIT {} {}\n", family_name, family.unit);
        if (family.type == Type::histogram) return write_histogram(family, noun);
        for (const auto& [labels, value] : values_of(family, noun)) {
            text_ += fmt::format("{}{} {}\n", sample, labels, text_of(value));
        }
    }
    std::string take() { return std::move(text_) + "# EOF\n"; }

  private:
    static std::string suffix_of(Type type) {
        if (type == Type::gauge || type == Type::histogram) return "";
        return type == Type::counter ? "_total" : "_info";
    }
    [[nodiscard]] std::string_view name_of(Type type) const {
        if (type == Type::counter) return "counter";
        if (type == Type::histogram) return "histogram";
        return type == Type::info && format_ == TextFormat::openmetrics ? "info" : "gauge";
    }
    // Writes one bucket for each power of two, cumulative as in Prometheus, with the same bounds
    // for every row, so that rows can be added up.
    void write_histogram(const MetricFamily& family, const Json& noun) {
        for (const Json& row : noun.at(Json::json_pointer{std::string(family.rows)})) {
            std::string labels = labels_of(family, row);
            labels.pop_back();
            uint64_t below = 0;
            auto bucket = row.at("buckets").begin();
            const auto end = row.at("buckets").end();
            const auto count_below = [&](uint64_t bound) {
                for (; bucket != end && !bucket->at("below_ns").is_null() &&
                       bucket->at("below_ns") <= bound;
                     ++bucket) {
                    below += bucket->at("frames").get<uint64_t>();
                }
                return below;
            };
            for (int bit = WaitHistogram::shortest_bit; bit <= WaitHistogram::longest_bit; ++bit) {
                const uint64_t bound = uint64_t{1} << bit;
                text_ +=
                    fmt::format("{}_bucket{},le=\"{}\"}} {}\n", family.name, labels,
                                static_cast<double>(bound) / family.divisor, count_below(bound));
            }
            const Json& frames = row.at("frames");
            text_ +=
                fmt::format("{}_bucket{},le=\"+Inf\"}} {}\n", family.name, labels, frames.dump());
            text_ += fmt::format("{}_sum{}}} {}\n", family.name, labels,
                                 text_of(*value_of(family, row)));
            text_ += fmt::format("{}_count{}}} {}\n", family.name, labels, frames.dump());
        }
    }
    // Returns values by their labels, in the same order at every scrape.
    static std::map<std::string, Value> values_of(const MetricFamily& family, const Json& noun) {
        std::map<std::string, Value> values;
        const Json& rows = noun.at(Json::json_pointer{std::string(family.rows)});
        const auto take = [&](const Json& row) {
            const auto value = value_of(family, row);
            if (!value) return;
            const auto [known, is_new] = values.emplace(labels_of(family, row), *value);
            if (!is_new) add(known->second, *value, family.combine);
        };
        if (rows.is_array()) {
            for (const Json& row : rows) take(row);
        } else {
            take(rows);
        }
        return values;
    }

    TextFormat format_;
    std::string text_;
};

}  // namespace

std::string_view content_type(TextFormat format) {
    return format == TextFormat::openmetrics
               ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
               : "text/plain; version=0.0.4; charset=utf-8";
}

std::string exposition(TextFormat format, const std::function<Json(std::string_view noun)>& show) {
    std::map<std::string_view, Json> nouns;
    Writer writer(format);
    for (const MetricFamily& family : families()) {
        auto known = nouns.find(family.noun);
        if (known == nouns.end()) known = nouns.emplace(family.noun, show(family.noun)).first;
        writer.write(family, known->second);
    }
    return writer.take();
}

}  // namespace sluice::control::http
