-- Nothing says how large the argument is.
-- at 6
-- ==
-- error: Ambiguous size "n" arising from use as function argument

def g = i32.sum (???)
