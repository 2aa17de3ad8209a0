-- The name of a file is misspelt.
-- at 6
-- ==
-- error: Could not read file.*did you mean "zeros"

import "zeroes"
