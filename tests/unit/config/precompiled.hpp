// precompiled.hpp for tests of configuration files.
#include "tests/support/precompiled.hpp"
#include "tests/unit/config/faults_of.h"
