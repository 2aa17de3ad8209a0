-- The operator of a module's type, without the module.
-- at 7
-- ==
-- error: "n\.t" is abstract: .*"x n\.\+ y"

module type number = { type t val + : t -> t -> t }
module twice (n: number) = { def f (x: n.t) = x + x }
