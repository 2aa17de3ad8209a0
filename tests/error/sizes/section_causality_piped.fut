-- The size of the operand is needed for the type of the section that is piped into.
-- at 6
-- ==
-- error: Causality

entry main (xs: []i32) (ys: []i32) = ys |> (filter (> 0) xs ++)
