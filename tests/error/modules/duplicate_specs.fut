-- A module type with two values of one name.
-- at 8
-- ==
-- error: Duplicate definition of name x

module type s = {
  val x : i32
  val x : i32
}
