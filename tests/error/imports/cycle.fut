-- A file that imports itself by way of another.
-- ==
-- error: Import cycle: .*cycle.fut -> .*lib/back.fut -> .*cycle.fut

import "lib/back"
def f = back + 1i32
