-- The size of an abstract type must be the size of an array in it.
-- ==
-- error: not used constructively
module m : { type padded [n] } = { type padded [n] = [2 * n]f32 }
