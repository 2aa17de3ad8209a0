-- The module of primitive operations is for expressions, not for module expressions: not to name,
-- to open, to ascribe or to pass.
-- at 9 10 11 12
-- ==
-- error: "intrinsics" module may not be used in module expressions

module f (p: {}) = {}
module type s = {}
module prims = intrinsics
open intrinsics
module seen : s = intrinsics
module applied = f intrinsics
