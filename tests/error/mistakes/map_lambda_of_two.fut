-- Map lambda of two.
-- at 6
-- ==
-- error: takes 2 arguments, but "map" gives it 1.*write "\\\(x, y\) -> ..."

entry main (ps: [](f64, f64)) = map (\x y -> x + y) ps
