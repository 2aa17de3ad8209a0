-- A histogram has a version in which blocks of threads have copies of their own.
-- structure soac,gpu: loop.blocks 1, loop.threads 3, loop.kernel 1, loop.atomic 3
-- ==
-- input { [1i64, 0i64, 1i64, 5i64] 2i64 } output { [1i32, 2i32] }
entry main [n] (is: [n]i64) (k: i64) : [k]i32 = hist (+) 0 k is (replicate n 1)
