-- A module type that requires a plain type.
-- at 6 7
-- ==
-- error: type. t = .*but module type requires a non-lifted type

module a : {type t} = {type^ t = i32 -> i32}
module b : {type t} = {type~ t = []i32}
