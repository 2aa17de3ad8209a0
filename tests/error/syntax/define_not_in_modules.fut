-- Nor can a module or a module type have it.
-- at 6 7 8
-- ==
-- error: "!" stands before its operand and cannot be defined

module m = {def (!) (x: bool) = x}
module type s = {val (!) : bool -> bool}
module n = {let x ! y = x + y}
