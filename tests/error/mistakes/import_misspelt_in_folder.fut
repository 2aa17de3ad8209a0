-- The name of a file in a folder is misspelt.
-- at 6
-- ==
-- error: Could not read file.*did you mean "deeper"

import "../imports/lib/deepr"
