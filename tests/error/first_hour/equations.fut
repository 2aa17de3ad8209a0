-- A function by several equations.
-- at 6 7
-- ==
-- error: name the value, and distinguish cases by "match x case 0 -> \.\.\. case _ -> \.\.\."\.

def fact 0 = 1
def fact n = n * fact (n - 1)
