#include "pmd_glue/telemetry.h"

#include <rte_eal.h>
#include <rte_os.h>
#include <rte_telemetry.h>
#include <sched.h>
#include <algorithm>
#include <cerrno>
#include <mutex>

#include "pmd_glue/dpdk_release.h"
#include "pmd_glue/eal.h"
#include "pmd_glue/privileges.h"

namespace sluice::pmd {
namespace {

// The function that answers commands. DPDK passes commands to a plain function without an argument,
// as long as the process lives, so the function is in a static object.
struct Answering {
    std::mutex change;
    Telemetry::Answer answer;
};
Answering& answering() {
    static Answering instance;
    return instance;
}

void write(rte_tel_data* data, const std::vector<std::string>& words) {
    rte_tel_data_start_array(data, RTE_TEL_STRING_VAL);
    const std::size_t fitting = std::min<std::size_t>(words.size(), RTE_TEL_MAX_ARRAY_ENTRIES);
    for (std::size_t n = 0; n < fitting; ++n) rte_tel_data_add_array_string(data, words[n].c_str());
}

void write(rte_tel_data* data, const TelemetryTable& table) {
    rte_tel_data_start_dict(data);
    const std::size_t fitting = std::min<std::size_t>(table.size(), RTE_TEL_MAX_DICT_ENTRIES);
    for (std::size_t n = 0; n < fitting; ++n) {
        const auto& [name, value] = table[n];
        if (const auto* const number = std::get_if<uint64_t>(&value)) {
            add_number(data, name.c_str(), *number);
        } else {
            const std::string text =
                std::get<std::string>(value).substr(0, RTE_TEL_MAX_STRING_LEN - 1);
            rte_tel_data_add_dict_string(data, name.c_str(), text.c_str());
        }
    }
}

int answer(const char* command, const char* parameters, rte_tel_data* data) {
    Answering& all = answering();
    const std::scoped_lock alone(all.change);
    if (!all.answer) return -ENODEV;
    const TelemetryReply reply = all.answer(command, parameters == nullptr ? "" : parameters);
    std::visit([&](const auto& known) { write(data, known); }, reply);
    return 0;
}

// Returns the CPUs for telemetry's threads: those that control may use.
rte_cpuset_t& cpus() {
    static rte_cpuset_t set;
    CPU_ZERO(&set);
    for (const unsigned cpu : usable_cpus()) CPU_SET(cpu, &set);
    return set;
}

}  // namespace

tl::expected<std::unique_ptr<Telemetry>, Error> Telemetry::start(
    std::span<const TelemetryCommand> commands, Answer answer_with) {
    {
        const std::scoped_lock alone(answering().change);
        answering().answer = std::move(answer_with);
    }
    std::unique_ptr<Telemetry> made(new Telemetry);
    for (const TelemetryCommand& command : commands) {
        if (rte_telemetry_register_cmd(command.name.c_str(), answer, command.help.c_str()) == 0) {
            continue;
        }
        return tl::unexpected(Error{"telemetry", command.name + ": DPDK does not take the command",
                                    "turn telemetry off"});
    }
    int result = 0;
    confined([&] { result = open_telemetry(rte_eal_get_runtime_dir(), cpus()); });
    if (result == 0) return made;
    return tl::unexpected(Error{"telemetry",
                                std::string("no socket in ") + rte_eal_get_runtime_dir(),
                                "let this user write there, or turn telemetry off"});
}

Telemetry::~Telemetry() {
    const std::scoped_lock alone(answering().change);
    answering().answer = nullptr;
}

}  // namespace sluice::pmd
