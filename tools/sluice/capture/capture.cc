#include "tools/sluice/capture/capture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "config/yaml/fault.h"
#include "control/capture/stream.h"
#include "tools/sluice/capture/comment.h"
#include "tools/sluice/capture/filter.h"
#include "tools/sluice/capture/pcapng.h"
#include "tools/sluice/client.h"
#include "tools/sluice/interrupt.h"

namespace sluice::cli {

namespace {

using control::CaptureCounts;
using control::CaptureStream;

Failure failure(int status, std::string line) { return {status, {std::move(line)}}; }

std::string summary_of(const CaptureCounts& counts) {
    return fmt::format("{} frames captured, {} filtered out, {} lost", counts.captured,
                       counts.filtered_out, counts.lost);
}

tl::expected<Json, Failure> request_of(const CaptureOptions& options) {
    const bool both = !options.in && !options.out && !options.drops;
    Json of = Json::array();
    if (options.in || both) of.push_back("in");
    if (options.out || both) of.push_back("out");
    if (options.drops) of.push_back("drops");
    Json what = {{"ports", options.ports}, {"of", std::move(of)}, {"snaplen", options.snaplen}};
    if (!options.priorities.empty()) what["priorities"] = options.priorities;
    if (options.count != 0) what["count"] = options.count;
    if (!options.filter.empty()) {
        auto filter = compiled(options.filter);
        if (!filter) return tl::unexpected(filter.error());
        what["filter"] = std::move(*filter);
    }
    return Json{{"capture", std::move(what)}};
}

class Output {
  public:
    explicit Output(const std::string& file)
        : name_(file == "-" ? "standard output" : file),
          file_(file == "-" ? stdout : std::fopen(file.c_str(), "we")),
          why_(file_ == nullptr ? errno : 0) {}
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    ~Output() {
        if (file_ != nullptr && file_ != stdout) std::fclose(file_);
    }

    void write(std::string_view octets) {
        if (why_ == 0 && std::fwrite(octets.data(), 1, octets.size(), file_) != octets.size()) {
            why_ = errno;
        }
    }
    void flush() {
        if (why_ == 0 && std::fflush(file_) != 0) why_ = errno;
    }
    [[nodiscard]] std::optional<Failure> failed() const {
        if (why_ == 0) return {};
        return failure(1, fmt::format("{}: could not be written: {}", name_, std::strerror(why_)));
    }

  private:
    const std::string name_;
    std::FILE* const file_;
    int why_;
};

std::vector<Pcapng::Interface> interfaces_of(const Json& about) {
    std::vector<Pcapng::Interface> interfaces;
    for (const Json& port : about.at("ports")) {
        interfaces.push_back(
            {port.at("name").get<std::string>(), port.at("device").get<std::string>()});
    }
    return interfaces;
}

CaptureNames names_of(const Json& about, const std::vector<Pcapng::Interface>& interfaces) {
    CaptureNames names{.ports = {}, .reasons = about.at("reasons").get<std::vector<std::string>>()};
    for (const Pcapng::Interface& each : interfaces) names.ports.push_back(each.name);
    return names;
}

bool is_inbound(CapturedAs as) {
    return as == CapturedAs::received || as == CapturedAs::dropped_ingress ||
           as == CapturedAs::trimmed;
}

int64_t nanos_since_1970() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

// Writes the frames of the stream into the file.
class Recording {
  public:
    Recording(const CaptureOptions& options, const Json& about)
        : of_(fmt::format("{}", fmt::join(options.ports, ", "))),
          interfaces_(interfaces_of(about)),
          names_(names_of(about, interfaces_)),
          pcapng_(interfaces_, options.snaplen),
          output_(options.file) {
        output_.write(Pcapng::header());
        for (std::size_t which = 0; which < interfaces_.size(); ++which) {
            const bool asked_for =
                std::ranges::find(options.ports, interfaces_[which].name) != options.ports.end();
            if (asked_for) output_.write(pcapng_.interface(which));
        }
        output_.flush();
    }

    // Records until the end of the stream. Returns a failure, if any.
    std::optional<Failure> run(Client& client) {
        const Interrupt listens_to_signals;
        while (!ended_) {
            if (auto failed = output_.failed()) return failed;
            if (Interrupt::came() && !std::exchange(asked_to_end_, true)) client.say_no_more();
            const auto octets = client.more();
            if (!octets) return octets.error();
            stream_.append(*octets);
            if (!take_messages()) return failure(1, "the answer is not that of a sluiced");
            output_.flush();
        }
        return output_.failed();
    }

  private:
    bool take_messages() {
        for (;;) {
            const CaptureStream::Message message = stream_.next();
            if (std::holds_alternative<CaptureStream::Incomplete>(message)) return true;
            if (const auto* const frame = std::get_if<CaptureStream::Frame>(&message)) {
                if (!write(*frame)) return false;
            } else if (const auto* const counts = std::get_if<CaptureStream::Counts>(&message)) {
                report(*counts);
            } else {
                return false;
            }
        }
    }
    bool write(const CaptureStream::Frame& frame) {
        const CaptureRecord& record = frame.record;
        if (record.port >= interfaces_.size()) return false;
        output_.write(pcapng_.frame({.interface = record.port,
                                     .time = record.time.count(),
                                     .length = record.length,
                                     .octets = frame.octets,
                                     .inbound = is_inbound(record.as),
                                     .comment = comment_of(record, names_)}));
        return true;
    }
    void report(const CaptureStream::Counts& message) {
        if (!std::exchange(began_, true)) {
            fmt::print(stderr, "captures {}; Ctrl-C ends it\n", config::escaped(of_));
        }
        if (message.last) {
            output_.write(pcapng_.statistics(nanos_since_1970(), message.counts.captured,
                                             message.counts.lost));
            ended_ = true;
        }
        const bool people_look_on = isatty(STDERR_FILENO) == 1;
        if (people_look_on) fmt::print(stderr, "\r");
        if (people_look_on || message.last) fmt::print(stderr, "{}", summary_of(message.counts));
        if (message.last) fmt::print(stderr, "\n");
        std::fflush(stderr);
    }

    const std::string of_;
    const std::vector<Pcapng::Interface> interfaces_;
    const CaptureNames names_;
    Pcapng pcapng_;
    Output output_;
    CaptureStream stream_;
    bool began_ = false;
    bool asked_to_end_ = false;
    bool ended_ = false;
};

std::optional<Failure> try_to_capture(const CaptureOptions& options) {
    if (options.file == "-" && isatty(STDOUT_FILENO) == 1) {
        return failure(
            2, "-w: standard output is a terminal; write to a file, or to a pipe into tshark -r -");
    }
    const auto request = request_of(options);
    if (!request) return request.error();
    auto client = Client::connect(options.socket);
    if (!client) return client.error();
    const auto about = client->ask(*request);
    if (!about) return about.error();
    return Recording(options, *about).run(*client);
}

}  // namespace

int capture(const CaptureOptions& options) {
    const auto failed = try_to_capture(options);
    return failed ? print_failure(*failed) : 0;
}

}  // namespace sluice::cli
