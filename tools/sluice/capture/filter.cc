#include "tools/sluice/capture/filter.h"

#include <fmt/format.h>
#include <pcap/pcap.h>

#include <memory>
#include <span>

#include "control/capture/filter.h"

namespace sluice::cli {

namespace {

struct Close {
    void operator()(pcap_t* handle) const { pcap_close(handle); }
};

tl::unexpected<Failure> refuse(std::string line) {
    return tl::unexpected(Failure{2, {std::move(line)}});
}

}  // namespace

tl::expected<Json, Failure> compiled(const std::string& expression) {
    constexpr int longest_frame = 65535;
    const std::unique_ptr<pcap_t, Close> handle(pcap_open_dead(DLT_EN10MB, longest_frame));
    bpf_program program{};
    if (pcap_compile(handle.get(), &program, expression.c_str(), 1, PCAP_NETMASK_UNKNOWN) != 0) {
        return refuse(fmt::format("--filter: {}; pcap-filter(7) has the language",
                                  pcap_geterr(handle.get())));
    }
    Json instructions = Json::array();
    for (const bpf_insn& each : std::span(program.bf_insns, program.bf_len)) {
        instructions.push_back({each.code, each.jt, each.jf, each.k});
    }
    pcap_freecode(&program);
    constexpr std::size_t longest = control::CaptureFilter::longest;
    if (instructions.size() > longest) {
        return refuse(fmt::format("--filter: becomes {} instructions; a shorter one, of up to {}",
                                  instructions.size(), longest));
    }
    return instructions;
}

}  // namespace sluice::cli
