-- All forms of importing the same file, by different paths.
module s = import "lib/shapes"
module t = import "./lib/../lib/shapes"
local open import "lib/shapes"
module f (p: {val square : f64 -> f64}) = {def twice x = p.square (p.square x)}
module g = f (import "lib/shapes")
module inner = {import "lib/uses_shapes" def both x = circle_plus x + circle x}
-- ==
-- input { 2.0 } output { 4.0 4.0 12.0 16.0 25.0 }
entry main (x: f64) = (s.square x, t.square x, circle x, g.twice x, inner.both x)
