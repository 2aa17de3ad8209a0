-- An imaginary number.
-- at 6
-- ==
-- error: there are no complex numbers built in; a pair may hold the real and the imaginary part\.

def f = 1 + 2j
