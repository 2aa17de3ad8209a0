-- A size parameter that no argument has.
-- at 6
-- ==
-- error: Entry point size parameter .k. only used non-constructively

entry g [k] (v: [k + 2]i32) = v[0]
