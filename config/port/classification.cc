#include "config/port/classification.h"

#include "config/port/applications.h"
#include "config/port/profiles.h"
#include "config/port/trust.h"
#include "config/yaml/whole.h"

namespace sluice::config {

ClassifySettings classify_settings(const Value& port) {
    const auto profile = static_cast<std::size_t>(port["profile"].number);
    ClassifySettings settings = classify_profiles[profile];
    settings.order = trusted_sources(port);
    if (port["pcp_to_priority"].written) {
        fill(settings.pcp_to_priority, port["pcp_to_priority"]);
    }
    if (port["dscp_to_priority"].written) settings.dscp_to_priority.fill(0);
    for (const Value& item : port["dscp_to_priority"].items) {
        settings.dscp_to_priority[static_cast<std::size_t>(item.table_key)] = whole<Priority>(item);
    }
    for (const Value& item : port["application"].items) {
        settings.applications[settings.application_count++] = application_settings(item);
    }
    settings.default_priority = whole<Priority>(port["default_priority"]);
    settings.tc_to_priority.fill(settings.default_priority);
    for (const Value& item : port["tc_to_priority"].items) {
        settings.tc_to_priority[static_cast<std::size_t>(item.table_key)] = whole<Priority>(item);
    }
    return settings;
}

RemarkSettings remark_settings(const Value& remark) {
    RemarkSettings settings;
    const auto read = [](const Value& table, std::array<uint8_t, max_priorities>& to) {
        for (const Value& item : table.items) {
            to[static_cast<std::size_t>(item.table_key)] = whole<uint8_t>(item);
        }
    };
    read(remark["pcp"], settings.pcp);
    read(remark["dscp"], settings.dscp);
    return settings;
}

}  // namespace sluice::config
