#include "tools/sim/fabric/traffic.h"

#include <algorithm>

namespace sluice::sim {

namespace {

constexpr double unbalance = 0.5;
constexpr double whole = 4294967296.0;  // 2^32

constexpr std::array names = {
    PatternName{"uniform", CellPattern::uniform, "every output alike"},
    PatternName{"diagonal", CellPattern::diagonal, "2/3 to output i, 1/3 to i + 1"},
    PatternName{"log-diagonal", CellPattern::log_diagonal, "1/2 to i, 1/4 to i + 1, 1/8 ..."},
    PatternName{"quasi-diagonal", CellPattern::quasi_diagonal, "1/2 to i, the others alike"},
    PatternName{"unbalanced", CellPattern::unbalanced, "1/2 to i, the other half to all alike"},
    PatternName{"hotspot", CellPattern::hotspot, "output 0 has the load, the others half of it"},
    PatternName{"bursty", CellPattern::bursty, "uniform, in bursts to one output"},
};

// Returns the mean number of slots between two bursts with which bursts fill the share `load` of
// all slots.
double mean_off(double load, double burst) { return burst * (1 - load) / load; }

}  // namespace

std::span<const PatternName> patterns() { return names; }

std::string_view name_of(CellPattern pattern) {
    return std::ranges::find(names, pattern, &PatternName::pattern)->name;
}

std::optional<CellPattern> find_pattern(std::string_view name) {
    const auto* const found = std::ranges::find(names, name, &PatternName::name);
    if (found == names.end()) return std::nullopt;
    return found->pattern;
}

double rate_of_input(CellPattern pattern, unsigned ports, double load) {
    if (pattern == CellPattern::hotspot) return load * (ports + 1) / (2.0 * ports);
    return load;
}

std::vector<double> shares_of_input(CellPattern pattern, unsigned ports, PortIndex input) {
    const double even = 1.0 / ports;
    std::vector<double> shares(ports, even);
    const auto beyond = [&](unsigned k) -> double& { return shares[(input + k) % ports]; };
    switch (pattern) {
        case CellPattern::uniform:
        case CellPattern::bursty:
            break;
        case CellPattern::diagonal:
            std::ranges::fill(shares, 0.0);
            beyond(0) += 2.0 / 3;
            beyond(1) += 1.0 / 3;
            break;
        case CellPattern::log_diagonal: {
            double sum = 0;
            double half = 1;
            for (unsigned k = 0; k < ports; ++k) sum += beyond(k) = half /= 2;
            for (double& share : shares) share /= sum;
            break;
        }
        case CellPattern::quasi_diagonal:
            std::ranges::fill(shares, 0.5 / (ports - 1));
            beyond(0) = 0.5;
            break;
        case CellPattern::unbalanced:
            std::ranges::fill(shares, (1 - unbalance) * even);
            beyond(0) += unbalance;
            break;
        case CellPattern::hotspot:
            std::ranges::fill(shares, 1.0 / (ports + 1));
            shares[0] = 2.0 / (ports + 1);
            break;
    }
    return shares;
}

CellTraffic::CellTraffic(CellPattern pattern, unsigned ports, double load, double burst,
                         uint64_t seed)
    : ports_(ports),
      bursty_(pattern == CellPattern::bursty),
      arrives_(rate_of_input(pattern, ports, load)),
      burst_starts_(1 / (1 + mean_off(load, burst))),
      burst_ends_(1 / burst),
      random_(seed),
      columns_(ports * ports) {
    for (PortIndex input = 0; input < ports; ++input) {
        fill_columns(input, shares_of_input(pattern, ports, input));
    }
}

// Vose's method: a column with less than an even share is filled from a column with more.
void CellTraffic::fill_columns(PortIndex input, std::vector<double> shares) {
    std::vector<PortIndex> lacking;
    std::vector<PortIndex> abounding;
    for (PortIndex output = 0; output < ports_; ++output) {
        shares[output] *= ports_;
        (shares[output] < 1 ? lacking : abounding).push_back(output);
        columns_[input * ports_ + output] = {uint64_t{1} << 32, output};
    }
    while (!lacking.empty() && !abounding.empty()) {
        const PortIndex poor = lacking.back();
        const PortIndex rich = abounding.back();
        lacking.pop_back();
        columns_[input * ports_ + poor] = {static_cast<uint64_t>(shares[poor] * whole + 0.5), rich};
        shares[rich] -= 1 - shares[poor];
        if (shares[rich] < 1) {
            abounding.pop_back();
            lacking.push_back(rich);
        }
    }
}

PortIndex CellTraffic::destination(PortIndex input) {
    const auto output = static_cast<PortIndex>(below(random_, ports_));
    const Column& column = columns_[input * ports_ + output];
    return random_.next() < column.threshold ? output : column.other;
}

void CellTraffic::next_slot(Arrivals& arrivals) {
    if (bursty_) return next_of_bursts(arrivals);
    arrivals.inputs = 0;
    for (PortIndex input = 0; input < ports_; ++input) {
        if (!arrives_.happens(random_)) continue;
        arrivals.inputs |= only(input);
        arrivals.output[input] = destination(input);
    }
}

void CellTraffic::next_of_bursts(Arrivals& arrivals) {
    for (PortIndex input = 0; input < ports_; ++input) {
        if ((on_ & only(input)) != 0) {
            if (burst_ends_.happens(random_)) on_ &= ~only(input);
        }
        if ((on_ & only(input)) == 0 && burst_starts_.happens(random_)) {
            on_ |= only(input);
            burst_to_[input] = destination(input);
        }
    }
    arrivals = {on_, burst_to_};
}

}  // namespace sluice::sim
