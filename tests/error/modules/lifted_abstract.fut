-- A plain abstract type cannot hide sizes.
-- at 6
-- ==
-- error: Module defines.*but module type requires.*type t

module m : { type t } = { type~ t = []i32 }
