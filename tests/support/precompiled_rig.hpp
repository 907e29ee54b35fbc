// precompiled.hpp for tests of a whole switch.
#include "tests/support/precompiled.hpp"
#include "tests/support/rig.h"
