-- Vmap.
-- at 6
-- ==
-- error: applies f to each row

def f (xs: []f64) = vmap f64.sqrt xs
