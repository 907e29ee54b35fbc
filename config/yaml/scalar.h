// Scalar: reads one scalar of the file as the kind of its key, within the key's range.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>

#include "config/schema.h"

namespace sluice::config {

struct Scalar {
    int64_t number = 0;
    std::string text = {};
};

struct Complaint {
    std::string what;
    std::string remedy;
};

tl::expected<Scalar, Complaint> read_scalar(const std::string& text, const Key& key);

}  // namespace sluice::config
