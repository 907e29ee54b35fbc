#include "tools/sluice/save.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "config/changes.h"
#include "config/yaml/fault.h"
#include "tools/sluice/client.h"
#include "tools/sluice/fault_json.h"

namespace sluice::cli {

int save(const std::string& socket, bool json) {
    auto client = Client::connect(socket);
    if (!client) return print_failure(client.error(), json);
    const auto source = client->ask({{"source", true}});
    if (!source) return print_failure(source.error(), json);
    const auto fails = [&](std::string line) {
        return print_failure({1, {std::move(line)}}, json);
    };
    if (source->at("to_be_confirmed").get<bool>()) {
        return fails(
            "save: the running configuration is not confirmed yet; `sluice confirm` first");
    }
    const auto path = source->at("file").get<std::string>();
    const auto text = source->at("text").get<std::string>();
    const auto file = ReplacedFile::read(path);
    if (!file) return fails(file.error());
    const bool same = file->text() == text;
    const auto known = source->at("known").get<std::vector<std::string>>();
    if (!same && std::ranges::find(known, file->text()) == known.end()) {
        return fails(
            fmt::format("{}: was changed since sluiced read it; `sluice diff FILE` shows the "
                        "differences, `sluice apply FILE` applies it",
                        config::escaped(path)));
    }
    const int status = print_saved(path, *file, text, {"file", "running"}, json);
    // The file has been saved already, so the answer does not matter.
    if (status == 0) static_cast<void>(client->ask({{"saved", text}}));
    return status;
}

int print_saved(const std::string& path, const ReplacedFile& file, const std::string& text,
                std::array<const char*, 2> names, bool json) {
    const bool same = file.text() == text;
    const auto changes = config::changes(file.text(), text);
    if (!same) {
        if (auto why = file.replace(text); !why.empty()) {
            return print_failure({1, {std::move(why)}}, json);
        }
    }
    if (json) {
        return print_outcome({{"file", path},
                              {"written", !same},
                              {"changes", changes_json(changes, names[0], names[1])}},
                             Json::array(), 0);
    }
    print_changes(changes);
    fmt::print("{}: {}\n", config::escaped(path), same ? "already up to date." : "saved.");
    return 0;
}

}  // namespace sluice::cli
