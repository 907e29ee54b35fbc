// Plays a fuzz target's corpus without libFuzzer: each file as it is, then damaged in a few hundred
// ways that are the same every time. Arguments: the target's name, then files, and folders of them.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/target.h"

namespace {

constexpr int damages_a_file = 400;

using Input = std::vector<uint8_t>;

std::vector<std::filesystem::path> files_in(int count, char** arguments) {
    std::vector<std::filesystem::path> files;
    for (int n = 2; n < count; ++n) {
        const std::filesystem::path path(arguments[n]);
        if (!std::filesystem::is_directory(path)) {
            files.push_back(path);
            continue;
        }
        for (const auto& entry : std::filesystem::directory_iterator(path)) {
            files.push_back(entry.path());
        }
    }
    std::ranges::sort(files);
    return files;
}

Input damaged(Input input, std::minstd_rand& random) {
    const auto place = [&] { return static_cast<std::ptrdiff_t>(random() % (input.size() + 1)); };
    for (auto times = random() % 4 + 1; times > 0; --times) {
        const std::ptrdiff_t at = place();
        switch (random() % 5) {
            case 0:  // cut
                input.resize(static_cast<std::size_t>(at));
                break;
            case 1:  // one octet more
                input.insert(input.begin() + at, static_cast<uint8_t>(random()));
                break;
            case 2:  // a part once more
                if (!input.empty()) {
                    const Input part(input.begin() + std::min(at, place()), input.end());
                    input.insert(input.end(), part.begin(), part.end());
                }
                break;
            case 3:  // a bit the other way
                if (!input.empty()) {
                    input[random() % input.size()] ^= static_cast<uint8_t>(1U << random() % 8);
                }
                break;
            default:  // an octet of its own
                if (!input.empty()) input[random() % input.size()] = static_cast<uint8_t>(random());
                break;
        }
        if (input.size() > 4096) input.resize(4096);
    }
    return input;
}

}  // namespace

int main(int count, char** arguments) {
    const auto* const target = sluice::test::FuzzTarget::find(count > 1 ? arguments[1] : "");
    const auto files = files_in(count, arguments);
    if (target == nullptr || files.empty()) {
        std::fputs("name a target, and files or folders of its corpus\n", stderr);
        return 2;
    }
    for (const auto& path : files) {
        std::ifstream file(path, std::ios::binary);
        const Input input{std::istreambuf_iterator<char>(file), {}};
        // Named first, so that a crash is found again.
        std::printf("%s\n", path.c_str());
        std::fflush(stdout);
        target->play(input.data(), input.size());
        std::minstd_rand random(1);
        for (int n = 0; n < damages_a_file; ++n) {
            const Input worse = damaged(input, random);
            target->play(worse.data(), worse.size());
        }
    }
    std::printf("%zu files played\n", files.size());
    return 0;
}
