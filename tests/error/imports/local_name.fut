-- What is local to a file is not visible to others.
-- at 7
-- ==
-- error: Unknown name "hidden"

import "lib/some"
def f = hidden
