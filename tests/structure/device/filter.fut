-- A filter looks at its rows once: what is scanned says where they go in the same kernel.  How many there are
-- the host reads itself.
-- structure soac,gpu: loop.blocks 1, loop.threads 1, loop.kernel 0
-- ==
-- input { [1i32, 2i32, 3i32, 4i32] } output { [2i32, 4i32] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry main (xs: []i32) = filter (\x -> x % 2 == 0) xs
