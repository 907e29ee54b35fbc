#include "control/capture/filter.h"

#include <pcap/pcap.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sluice::control {

namespace {

// All opcodes of libpcap's filter; any other opcode makes libpcap end the process.
constexpr auto opcodes = std::to_array<int>({
    BPF_RET | BPF_K,
    BPF_RET | BPF_A,
    BPF_LD | BPF_W | BPF_ABS,
    BPF_LD | BPF_H | BPF_ABS,
    BPF_LD | BPF_B | BPF_ABS,
    BPF_LD | BPF_W | BPF_LEN,
    BPF_LDX | BPF_W | BPF_LEN,
    BPF_LD | BPF_W | BPF_IND,
    BPF_LD | BPF_H | BPF_IND,
    BPF_LD | BPF_B | BPF_IND,
    BPF_LDX | BPF_MSH | BPF_B,
    BPF_LD | BPF_IMM,
    BPF_LDX | BPF_IMM,
    BPF_LD | BPF_MEM,
    BPF_LDX | BPF_MEM,
    BPF_ST,
    BPF_STX,
    BPF_JMP | BPF_JA,
    BPF_JMP | BPF_JGT | BPF_K,
    BPF_JMP | BPF_JGE | BPF_K,
    BPF_JMP | BPF_JEQ | BPF_K,
    BPF_JMP | BPF_JSET | BPF_K,
    BPF_JMP | BPF_JGT | BPF_X,
    BPF_JMP | BPF_JGE | BPF_X,
    BPF_JMP | BPF_JEQ | BPF_X,
    BPF_JMP | BPF_JSET | BPF_X,
    BPF_ALU | BPF_ADD | BPF_X,
    BPF_ALU | BPF_SUB | BPF_X,
    BPF_ALU | BPF_MUL | BPF_X,
    BPF_ALU | BPF_DIV | BPF_X,
    BPF_ALU | BPF_MOD | BPF_X,
    BPF_ALU | BPF_AND | BPF_X,
    BPF_ALU | BPF_OR | BPF_X,
    BPF_ALU | BPF_XOR | BPF_X,
    BPF_ALU | BPF_LSH | BPF_X,
    BPF_ALU | BPF_RSH | BPF_X,
    BPF_ALU | BPF_ADD | BPF_K,
    BPF_ALU | BPF_SUB | BPF_K,
    BPF_ALU | BPF_MUL | BPF_K,
    BPF_ALU | BPF_DIV | BPF_K,
    BPF_ALU | BPF_MOD | BPF_K,
    BPF_ALU | BPF_AND | BPF_K,
    BPF_ALU | BPF_OR | BPF_K,
    BPF_ALU | BPF_XOR | BPF_K,
    BPF_ALU | BPF_LSH | BPF_K,
    BPF_ALU | BPF_RSH | BPF_K,
    BPF_ALU | BPF_NEG,
    BPF_MISC | BPF_TAX,
    BPF_MISC | BPF_TXA,
});

// Whether the instruction is valid. `behind`: how many instructions follow, the limit of a jump.
bool is_sound(const bpf_insn& one, std::size_t behind) {
    if (std::ranges::find(opcodes, int{one.code}) == opcodes.end()) return false;
    switch (BPF_CLASS(one.code)) {
        case BPF_LD:
        case BPF_LDX:
            return BPF_MODE(one.code) != BPF_MEM || one.k < BPF_MEMWORDS;
        case BPF_ST:
        case BPF_STX:
            return one.k < BPF_MEMWORDS;
        case BPF_ALU: {
            const bool divides = BPF_OP(one.code) == BPF_DIV || BPF_OP(one.code) == BPF_MOD;
            return !divides || BPF_SRC(one.code) != BPF_K || one.k != 0;
        }
        case BPF_JMP:
            if (BPF_OP(one.code) == BPF_JA) return one.k < behind;
            return one.jt < behind && one.jf < behind;
        default:
            return true;
    }
}

// Checks a whole program. libpcap's own bpf_validate checks neither jumps nor opcodes when it is
// built for user space.
bool is_sound(const std::vector<bpf_insn>& program) {
    for (std::size_t at = 0; at < program.size(); ++at) {
        if (!is_sound(program[at], program.size() - 1 - at)) return false;
    }
    return BPF_CLASS(program.back().code) == BPF_RET;
}

}  // namespace

std::optional<CaptureFilter> CaptureFilter::of(std::vector<bpf_insn> program) {
    if (program.empty() || program.size() > longest || !is_sound(program)) return std::nullopt;
    CaptureFilter filter;
    filter.program_ = std::move(program);
    return filter;
}

bool CaptureFilter::passes(std::span<const uint8_t> octets, std::size_t length) const {
    if (program_.empty()) return true;
    // The parameter is not const, but libpcap only reads the program.
    const bpf_program program{.bf_len = static_cast<u_int>(program_.size()),
                              .bf_insns = const_cast<bpf_insn*>(program_.data())};
    const pcap_pkthdr header{.ts = {},
                             .caplen = static_cast<bpf_u_int32>(octets.size()),
                             .len = static_cast<bpf_u_int32>(length)};
    return pcap_offline_filter(&program, &header, octets.data()) != 0;
}

}  // namespace sluice::control
