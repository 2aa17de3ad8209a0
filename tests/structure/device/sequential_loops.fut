-- A loop without parallelism that goes through elements is one kernel, with the statements that
-- write what they have read; the host reads one element.
-- structure soac,seq,simplify,dce,one_thread,sink: loop.kernel 1, loop 2, index 3
-- depth soac,seq,simplify,dce,one_thread,sink: loop.kernel 0, copy 0
-- ==
-- input { [1i32, 2i32, 3i32] } output { 6i32 [2i32, 1i32, 3i32] }
entry main [n] (xs: [n]i32) : (i32, [n]i32) =
  let (s, ys) = loop (s, ys) = (0, copy xs) for i < n do (s + ys[i], ys with [i] = s)
  let a = ys[1]
  let zs = ys with [0] = a + 1
  in (s, zs with [2] = s - 3)
