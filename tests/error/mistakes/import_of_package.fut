-- Import of package.
-- at 6
-- ==
-- error: raido pkg add

import "lib/github.com/someone/something/list"
