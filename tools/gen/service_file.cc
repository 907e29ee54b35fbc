#include "tools/gen/service_file.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "config/yaml/values.h"
#include "tools/gen/stream_reader.h"
#include "tools/gen/words.h"

namespace sluice::gen {
namespace {

constexpr auto service_keys = std::to_array<std::string_view>(
    {"name", "from", "to", "cir", "eir", "max_loss", "max_latency", "max_variation", "policing",
     "frame_bytes", "vlan", "pcp", "dscp", "addresses", "format"});
constexpr ListWords words_of_services{"services", "service", "{from: 0, to: 1, cir: 10Mbps}",
                                      service_keys};

tl::expected<Rate, std::string> parse_information_rate(std::string_view text) {
    const auto rate = parse_packet_rate(text);
    if (rate && rate->unit != Rate::Unit::unlimited) return *rate;
    return tl::unexpected(fmt::format(
        "{} is not an information rate; use bits per second of frames without preamble and gap "
        "(10Mbps), or frames per second (10K)",
        config::in_quotes(text)));
}

// Returns `0.1%` as a share of 1.
tl::expected<double, std::string> parse_percent(std::string_view text) {
    double percent = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, percent, std::chars_format::fixed);
    const bool whole = read.ec == std::errc() && std::string_view(read.ptr, end) == "%";
    if (whole && percent >= 0 && percent <= 100) return percent / 100;
    return tl::unexpected(fmt::format("{} is not a percentage; use 0% to 100%, for example 0.1%",
                                      config::in_quotes(text)));
}

tl::expected<Nanos, std::string> parse_limit(std::string_view text) {
    const auto nanos = config::parse_time(text);
    if (nanos && *nanos > 0) return Nanos(*nanos);
    return tl::unexpected(fmt::format("{} is not a time above 0; use for example 500us or 2ms",
                                      config::in_quotes(text)));
}

// Returns a rate of either unit in frames a second.
double frames_of(const Rate& information, const FrameMix& frames) {
    const auto value = static_cast<double>(information.value);
    return information.unit == Rate::Unit::frames_a_second ? value : value / (8 * frames.mean());
}

void read_service(StreamReader& reader, Service& service) {
    reader.read_from(service.stream);
    reader.read_probe(service.stream);
    const FrameMix& frames = service.stream.sender.pattern.frames;
    Rate cir = Rate::frames(1);
    if (reader.find("cir") == nullptr) {
        reader.fault(reader.at(), "", "has no `cir`",
                     "write the committed information rate, for example 10Mbps");
    }
    reader.parse("cir", parse_information_rate, cir);
    service.cir_fps = frames_of(cir, frames);
    Rate eir;
    if (reader.parse("eir", parse_information_rate, eir)) service.eir_fps = frames_of(eir, frames);
    reader.parse("max_loss", parse_percent, service.max_loss);
    reader.parse("max_latency", parse_limit, service.max_latency);
    reader.parse("max_variation", parse_limit, service.max_variation);
    reader.parse("policing", parse_percent, service.policing);
}

}  // namespace

Services read_services(std::string_view text, const std::string& file, std::size_t ports) {
    std::vector<Service> services;
    auto faults = read_list(text, file, ports, words_of_services,
                            [&](StreamReader& reader, std::size_t number) {
                                Service& service = services.emplace_back();
                                service.stream.name = reader.name(number);
                                read_service(reader, service);
                                return service.stream.name;
                            });
    if (faults.empty()) return services;
    return tl::unexpected(std::move(faults));
}

}  // namespace sluice::gen
