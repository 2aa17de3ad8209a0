-- A component of an unapplied functor.
-- at 7
-- ==
-- error: parametric module

module pm (q: {val z : i32}) = { def w = q.z }
def f = pm.w
