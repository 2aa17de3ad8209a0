-- Names not those of the program.
-- at 6
-- ==
-- error: Occurs check: cannot instantiate c with c -> d

def f a b = (a a, b)
