-- Each application makes its own abstract types.
-- at 13
-- ==
-- error: Cannot apply "b.un" to "a.mk" .invalid type.

module f (p: {}) : {type t val mk : t val un : t -> i32} = {
  type t = i32
  def mk = 1i32
  def un (x: t) = x
}
module a = f {}
module b = f {}
def g = b.un a.mk
