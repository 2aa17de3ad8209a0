-- The name of a file with its extension.
-- at 6
-- ==
-- error: a file is imported without "\.fut": import "lib/values"

import "lib/values.fut"
