-- Rows are read and updated in turn: reads of other rows, of the same row, of a row that may be either;
-- rows put back; rows that are needed after the array has changed again.
-- ==
-- entry: others
-- input { [[1i32,2i32],[3i32,4i32],[5i32,6i32]] [10i32,20i32] }
-- output { [[11i32,22i32],[13i32,24i32],[5i32,6i32]] 44i32 }
entry others [n] (a: *[3][n]i32) (x: [n]i32) =
  let a[0] = map2 (+) a[0] x
  let b = i32.sum a[2]
  let a[1] = map2 (+) a[1] x
  in (copy a, i32.sum a[0] + b)
-- ==
-- entry: same_row
-- input { [[1i32,2i32],[3i32,4i32]] [10i32,20i32] }
-- output { [[11i32,22i32],[10i32,20i32]] [30i32, 60i32] }
entry same_row [n] (a: *[2][n]i32) (x: [n]i32) =
  let a[1] = x
  let y = map2 (+) a[1] a[1]
  let a[0] = map2 (+) a[0] a[1]
  let z = map2 (+) y a[1]
  in (a, z)
-- ==
-- entry: covered
-- input { [[1i32,2i32],[3i32,4i32]] [10i32,20i32] }
-- output { [[10i32,20i32],[6i32,8i32]] [3i32,4i32] }
entry covered [n] (a: *[2][n]i32) (x: [n]i32) =
  let r = copy a[1]
  let a[1] = x
  let a[0] = copy a[1]
  let a[1] = map2 (+) r r
  in (a, r)
-- ==
-- entry: swapped
-- input { [[1i32,2i32],[3i32,4i32],[5i32,6i32]] }
-- output { [[3i32,4i32],[1i32,2i32],[5i32,6i32]] }
entry swapped [n] (a: *[3][n]i32) =
  let p = copy a[0]
  let a[0] = copy a[1]
  let a[1] = p
  in a
-- ==
-- entry: shifted
-- input { [[1i32,2i32],[3i32,4i32],[5i32,6i32]] }
-- output { [[1i32,2i32],[1i32,2i32],[6i32,8i32]] }
entry shifted [n] (a: *[3][n]i32) =
  let a[1] = copy a[0]
  let a[2] = map2 (+) a[2] a[1]
  in a
-- ==
-- entry: unclear
-- input { [[1i32,2i32],[3i32,4i32],[5i32,6i32]] 1i64 }
-- output { [[1i32,2i32],[6i32,8i32],[11i32,14i32]] }
-- input { [[1i32,2i32],[3i32,4i32],[5i32,6i32]] 2i64 }
-- output { [[1i32,2i32],[3i32,4i32],[10i32,12i32]] }
entry unclear [n] (a: *[3][n]i32) (i: i64) =
  let a[i] = map (* 2) a[i]
  let a[2] = if i == 2 then copy a[2] else map2 (+) a[1] a[2]
  in a
-- ==
-- entry: later
-- input { [[1i32,2i32],[3i32,4i32],[5i32,6i32]] 3i32 }
-- output { [[10i32,20i32],[30i32,40i32],[50i32,60i32]] [6i32,7i32] [5i32,6i32] }
entry later [n] (a: *[3][n]i32) (k: i32) =
  let a[0] = map (* 2) a[0]
  let last = a[2]
  let both = reverse last
  let s = loop s = 0 for i < k do s + i32.sum (flatten a) + i
  let t = map2 (+) last (map (const 1) both)
  let kept = copy last
  let a[1] = map (const s) a[1]
  let a[0] = map (* 5) a[0]
  let a[1] = map (* 10) [3, 4] :> [n]i32
  let a[2] = map (* 10) (copy a[2])
  in (a, map2 (\t l -> if s > 0 then t + 0 * l else l) t kept, kept)
-- ==
-- entry: elements
-- input { [[1i32,2i32],[3i32,4i32]] }
-- output { [[7i32,2i32],[4i32,5i32]] 2i32 }
entry elements [n] (a: *[2][n]i32) =
  let a[0, 0] = 7
  let a[1] = map (+ 1) a[1]
  in (copy a, a[0, 1])
-- ==
-- entry: in_loop
-- input { [[1i32,2i32],[3i32,4i32]] 3i64 }
-- output { [[4i32,5i32],[12i32,16i32]] }
entry in_loop [n] (a: *[2][n]i32) (k: i64) =
  loop a for _i < k do
    let a[0] = map (+ 1) a[0]
    let t = a[0]
    let a[1] = map2 (+) a[1] t |> map (+ 0)
    in if k > 100 then copy a else a
