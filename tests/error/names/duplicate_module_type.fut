-- Two module types of one name.
-- at 7
-- ==
-- error: Duplicate definition of module type s

module type s = {}
module type s = {val x : i32}
