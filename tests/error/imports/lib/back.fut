-- Imports the test that imports it.
-- ==
-- error: Import cycle: .*lib/back.fut -> .*cycle.fut -> .*lib/back.fut

import "../cycle"
def back = f
