-- A constructor twice in one type.
-- at 6
-- ==
-- error: Constructor "#a" previously defined at

type t = #a | #a i32
