-- A type is not what the module type says.
-- at 6
-- ==
-- error: Module defines.*type t = i64.*but module type requires.*type t = i32

module m : {type t = i32} = {type t = i64}
