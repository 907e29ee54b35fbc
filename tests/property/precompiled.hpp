// What every property includes, compiled once.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/property/draw.h"
