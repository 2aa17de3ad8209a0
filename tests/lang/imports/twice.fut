-- A file imported twice is read once.
open import "lib/shapes"
import "lib/uses_shapes"
-- ==
-- input { 2.0 } output { 12.0 13.0 }
entry main (r: f64) = (circle r, circle_plus r)
