-- A type with the wrong number of parameters.
-- at 6
-- ==
-- error: Module defines.*type t = i32.*but module type requires.*type t 'a

module m : {type t 'a} = {type t = i32}
