-- A plain abbreviation cannot contain functions.
-- at 6
-- ==
-- error: Non-lifted type abbreviations may not contain functions

type t = i32 -> i32
