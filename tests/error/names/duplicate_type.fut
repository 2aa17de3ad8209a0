-- A type is defined twice.
-- at 7
-- ==
-- error: Duplicate definition of .*t

type t = i32
type t = f32
