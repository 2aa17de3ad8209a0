-- Nor may it stand in module types' places, in local definitions of modules, inside of modules, as
-- the argument of a lambda, or be opened locally.
-- at 8 9 10 11
-- ==
-- error: "intrinsics" module may not be used in module expressions

module wrap = {
  module inner = intrinsics
  local open intrinsics
  local module hidden = {open intrinsics}}
module applied = (\(p: {}) -> {}) intrinsics
entry main (x: i32) = x
