-- An error in an imported file is reported there, and only there.
-- ==
-- error: Error at .*lib/bad.fut:6:12.*Cannot apply "." to "true"

import "lib/bad"
def f = oops + 1i32
