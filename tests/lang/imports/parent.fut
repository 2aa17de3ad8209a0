-- Importing from a parent directory.
import "lib/deep/up"
-- ==
-- input { 2.0 } output { 24.0 }
entry main (r: f64) = twice_circle r
