-- Behind an ascription and in parentheses it is the same module.
-- at 7 8
-- ==
-- error: "intrinsics" module may not be used in module expressions.*"intrinsics" module may not be used in module expressions

module type plus = {}
module a = (intrinsics)
module b = intrinsics : plus
