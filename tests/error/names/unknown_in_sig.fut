-- A module type mentions a type that is not there.
-- at 6
-- ==
-- error: Unknown type "t"

module type s = {val x : t}
