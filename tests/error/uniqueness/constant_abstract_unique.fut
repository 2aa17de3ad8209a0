-- A constant of an abstract type is no unique result.
-- at 8
-- ==
-- error: aliased to "zero", which is not consumable

module type s = { type t val zero : t }
module f (P: s) = {
  def start (_: i64) : *P.t = P.zero
}
