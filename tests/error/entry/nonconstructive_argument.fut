-- The argument of an abstract type need not be in its values.
-- ==
-- error: non-constructively
module u : { type unit_of 'a val mk 'a : f32 -> unit_of a } = {
  type unit_of 'a = f32
  def mk (x: f32) = x
}
entry main [n] (_: u.unit_of ([n]i32)) = n
