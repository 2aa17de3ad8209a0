-- A parametric module cannot be opened.
-- at 7
-- ==
-- error: Cannot have parametric module here

module pm (q: {val z : i32}) = {def w = q.z}
open pm
