#include "tools/sim/scenario/trace_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "config/yaml/scalar.h"
#include "tools/sim/scenario/scenario_keys.h"

namespace sluice::sim {

namespace {

constexpr std::string_view header = "time,from,to,bytes,priority";

class TraceReader {
  public:
    TraceReader(std::string file_name, const HostNames& names,
                const std::function<bool(std::size_t, std::size_t)>& leads)
        : report_(file_name), file_(std::move(file_name)), names_(names), leads_(leads) {}

    void read(std::string_view text) {
        if (text.size() > longest_trace) {
            return fault(1, "file", "is longer than 64 MiB", "write several traces");
        }
        for (std::size_t start = 0; start < text.size() && !too_long_ && !report_.full();) {
            const std::size_t end = std::min(text.find('\n', start), text.size());
            std::string_view line = text.substr(start, end - start);
            if (line.ends_with('\r')) line.remove_suffix(1);
            start = end + 1;
            ++at_.line;
            if (at_.line == 1) {
                if (line != header) fault(1, "line", "is not the header", head());
            } else if (!line.empty()) {
                read_line(line);
            }
        }
        if (at_.line == 0) fault(1, "file", "is empty", head());
    }
    tl::expected<std::vector<TraceLine>, std::vector<config::Fault>> take() {
        if (!report_.clean()) return tl::unexpected(report_.take());
        std::ranges::stable_sort(lines_, {}, &TraceLine::time);
        return std::move(lines_);
    }

  private:
    static std::string head() { return fmt::format("begin with {}", header); }

    void fault(std::size_t column, std::string_view path, std::string what, std::string remedy) {
        at_.line = std::max(at_.line, 1);
        at_.column = static_cast<int>(column);
        report_.add(at_, std::string(path), std::move(what), std::move(remedy));
    }

    void read_line(std::string_view line) {
        constexpr std::size_t columns = keys::trace.size();
        std::array<std::string_view, columns> words;
        std::array<std::size_t, columns> places{};
        std::size_t count = 0;
        for (std::size_t start = 0; start <= line.size(); ++count) {
            const std::size_t end = std::min(line.find(',', start), line.size());
            if (count < columns) {
                words[count] = line.substr(start, end - start);
                places[count] = start + 1;
            }
            start = end + 1;
        }
        if (count != columns) {
            return fault(1, "line", fmt::format("has {} values", count),
                         fmt::format("write {}: {}", columns, header));
        }
        if (lines_.size() == most_trace_lines) {
            too_long_ = true;
            return fault(1, "line", fmt::format("is beyond {} messages", most_trace_lines),
                         "write several traces");
        }
        std::array<int64_t, columns> numbers{};
        bool right = true;
        for (std::size_t n = 0; n < columns; ++n) {
            const auto number = value(keys::trace[n], words[n], places[n]);
            right = right && number;
            numbers[n] = number.value_or(0);
        }
        if (!right) return;
        const auto& [time, from, to, bytes, priority] = numbers;
        const TraceLine message{Nanos(time), static_cast<std::size_t>(from),
                                static_cast<std::size_t>(to), Bytes(bytes),
                                static_cast<Priority>(priority)};
        if (message.from == message.to) {
            fault(places[2], "to", "is who sends", "name another host");
        } else if (!leads_(message.from, message.to)) {
            fault(places[2], "to", fmt::format("no way leads there from {}", words[1]),
                  "write links between their switches");
        } else {
            lines_.push_back(message);
        }
    }
    // Returns a value; for a host, its number.
    std::optional<int64_t> value(const config::Key& key, std::string_view word, std::size_t place) {
        if (key.kind == config::Kind::name) {
            if (const auto host = names_.find(word)) return static_cast<int64_t>(*host);
            if (!names_.known()) return 0;
            fault(place, key.name, fmt::format("no host is called {}", config::in_quotes(word)),
                  names_.remedy("names"));
            return std::nullopt;
        }
        const auto read = config::read_scalar(std::string(word), key);
        if (read) return read->number;
        fault(place, key.name, read.error().what, read.error().remedy);
        return std::nullopt;
    }

    config::Report report_;
    std::string file_;
    const HostNames& names_;
    const std::function<bool(std::size_t, std::size_t)>& leads_;
    config::Position at_{.line = 0, .column = 1};
    bool too_long_ = false;
    std::vector<TraceLine> lines_;
};

}  // namespace

tl::expected<std::vector<TraceLine>, std::vector<config::Fault>> read_trace(
    std::string_view text, std::string file_name, const HostNames& names,
    const std::function<bool(std::size_t, std::size_t)>& leads) {
    TraceReader reader(std::move(file_name), names, leads);
    reader.read(text);
    return reader.take();
}

}  // namespace sluice::sim
