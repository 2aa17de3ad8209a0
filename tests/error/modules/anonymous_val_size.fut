-- A val may not have anonymous parameter sizes.
-- at 6
-- ==
-- error: All function parameters must have non-anonymous sizes

module type s = { val sum : []i32 -> i32 }
