-- A record type has a field twice.
-- at 6
-- ==
-- error: Duplicate fields: "a" is also defined at

type t = {a: i32, a: f32}
