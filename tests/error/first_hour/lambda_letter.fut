-- The letter lambda.
-- at 6
-- ==
-- error: write \\ instead\.

def f = λx -> x
