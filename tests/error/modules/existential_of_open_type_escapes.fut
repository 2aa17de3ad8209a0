-- A type that a definition leaves open is the same for all calls: it cannot have a size that each
-- call has anew.
-- at 7 8
-- ==
-- error: Module type specifies

module a : { val get : i64 -> ?[k].([k]i32 -> i32, [k]i32) } = { def get (n: i64) = (\_ -> 3i32, replicate n 1i32) }
module b : { val get [n] : [n]i32 -> ?[k].([k]i32 -> i32, [k]i32) } = { def get [n] (xs: [n]i32) = (\_ -> 3i32, filter (> 0) xs) }
