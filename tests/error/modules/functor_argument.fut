-- A functor argument lacks a value.
-- at 7
-- ==
-- error: does not define a value named "z"

module pm (q: {val z : i32}) = { def w = q.z }
module k = pm { def y = 1i32 }
