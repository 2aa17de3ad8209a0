-- Pattern and use.
-- at 6
-- ==
-- error: Pattern \(a, b, c\) cannot match.*Unknown name "u"

def f (x: i32) = let (a, b, c) = (x, x) in a + b + c + u
