pytest_plugins = "ring_bed"
