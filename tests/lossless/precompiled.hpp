// What these tests include, compiled once.
#include "tests/lossless/star.h"
#include "tests/support/precompiled.hpp"
