-- The import of a file of the library without its folder.
-- at 6
-- ==
-- error: this file of the library is "/prelude/derivatives"\.

open import "derivatives"
def g (x: f64) = grad (\x -> x * x) x
