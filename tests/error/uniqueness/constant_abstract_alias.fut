-- Nor by another name, nor in a record.
-- at 13
-- ==
-- error: Consuming variable "[zr]", which is not consumable|Consuming variable "zero", which is not consumable

module m : { type t val zero : t val eat : *t -> i64 } = {
  type t = [3]i64
  def zero : t = [1, 2, 3]
  def eat (x: *t) : i64 = let x[0] = 5 in i64.sum x
}
def f (x: i64) =
  let r = {z = m.zero, x}
  in r.x + m.eat r.z
