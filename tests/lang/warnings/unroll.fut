-- A loop to unroll whose number of iterations depends on the input.
-- ==
-- input { 3i64 } output { 3i64 10i64 }
-- warning: unroll.fut:7:.*#\[unroll\] on loop with unknown number of iterations

def known (x: i64) = #[unroll] loop a = x for i < 4 do a + i
def unknown (n: i64) = #[unroll] loop a = 0 for i < n do a + i
entry main (n: i64) = (unknown n, known 4)
