-- An argument of another abstract type may leave no trace.
-- ==
-- error: not used constructively
module u : { type tag 'a } = { type tag 'a = f32 }
module m : { type t [n] } = { type t [n] = (u.tag ([n]i32), i32) }
