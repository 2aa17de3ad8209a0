-- A record type has a field twice.
-- at 6
-- ==
-- error: Field "a" previously defined at

type t = {a: i32, a: f32}
