-- An import is not passed on.
-- at 7
-- ==
-- error: Unknown name "deeper"

import "lib/some"
def f = deeper
