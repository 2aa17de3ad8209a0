-- Importing a file.
import "lib/shapes"
module s = import "lib/shapes"
-- ==
-- input { 2.0 } output { 12.0 4.0 }
entry main (r: f64) = (circle r, s.square r)
