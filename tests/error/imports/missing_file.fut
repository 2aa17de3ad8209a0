-- An imported file that is not there.
-- at 6
-- ==
-- error: Could not read file ".*nosuch.fut"

import "nosuch"
def f = 1i32
