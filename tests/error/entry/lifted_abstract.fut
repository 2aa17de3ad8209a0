-- An abstract type that may have functions in it is no type of an entry point, neither of a
-- parameter nor of a result.
-- at 11 12
-- ==
-- error: Entry point functions may not be higher-order

module m : { type^ t val mk : i32 -> t val get : t -> i32 } = {
  type^ t = i32
  def mk (x: i32) : t = x
  def get (x: t) = x }
entry make (x: i32) : m.t = m.mk x
entry get (x: m.t) = m.get x
