-- Components counted from 1.
-- at 6
-- ==
-- error: components are counted from 0: the last one is "p\.1"\.

def f (p: (f64, f64)) = p.1 + p.2
