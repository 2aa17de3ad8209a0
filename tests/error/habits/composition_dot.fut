-- A dot for composition.
-- at 6
-- ==
-- error: "f <-< g" composes functions

def f = f64.sum . map (+ 1)
