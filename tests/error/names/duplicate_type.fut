-- A type is defined twice.
-- at 7
-- ==
-- error: Duplicate definition of type t. Previously defined at

type t = i32
type t = f32
