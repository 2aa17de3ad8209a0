-- A plain abstract type cannot hide sizes.
-- at 6
-- ==
-- error: lifted|size

module m : { type t } = { type~ t = []i32 }
