-- A component of an unapplied functor.
-- at 7
-- ==
-- error: Cannot have parametric module here

module pm (q: {val z : i32}) = { def w = q.z }
def f = pm.w
