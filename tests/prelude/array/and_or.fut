-- Conjunction and disjunction.
-- ==
-- input { [true, false] } output { false true }
-- input { [true, true] } output { true true }
-- input { empty([0]bool) } output { true false }
entry main (xs: []bool) = (and xs, or xs)
