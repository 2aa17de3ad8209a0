-- A file that imports itself.
-- at 6
-- ==
-- error: Import cycle: .*self.fut -> .*self.fut

import "self"
