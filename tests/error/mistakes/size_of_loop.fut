-- Size of loop.
-- at 6
-- ==
-- error: unknown size of the result of the loop at

def f [n] (xs: [n]i32) = zip xs (loop ys = xs for i < 3i32 do filter (> i) ys)
