-- A file opened without import.
-- at 6
-- ==
-- error: a file is opened by "open import "file"", or "import "file"" alone\.

open "file"
