-- Each array is made of two that rely on the same check: it is relied on once, not once for each
-- way there, of which there are very many.
-- ==
-- input { 3i64 } output { [9.0, 9.0, 9.0] }
def step [n] (a: [n]f64) (b: [n]f64) = scan f64.min f64.highest (map2 (\a b -> f64.min 9 (a + b)) a b)

entry main (m: i64) : [m]f64 =
  let a0 = tabulate m (\i -> f64.i64 i + 1)
  let a1 = scan (+) 0 a0
  let a2 = step a1 a0
  let a3 = step a2 a1
  let a4 = step a3 a2
  let a5 = step a4 a3
  let a6 = step a5 a4
  let a7 = step a6 a5
  let a8 = step a7 a6
  let a9 = step a8 a7
  let a10 = step a9 a8
  let a11 = step a10 a9
  let a12 = step a11 a10
  let a13 = step a12 a11
  let a14 = step a13 a12
  let a15 = step a14 a13
  let a16 = step a15 a14
  let a17 = step a16 a15
  let a18 = step a17 a16
  let a19 = step a18 a17
  let a20 = step a19 a18
  let a21 = step a20 a19
  let a22 = step a21 a20
  let a23 = step a22 a21
  let a24 = step a23 a22
  let a25 = step a24 a23
  let a26 = step a25 a24
  let a27 = step a26 a25
  let a28 = step a27 a26
  let a29 = step a28 a27
  let a30 = step a29 a28
  let a31 = step a30 a29
  let a32 = step a31 a30
  let a33 = step a32 a31
  let a34 = step a33 a32
  let a35 = step a34 a33
  let a36 = step a35 a34
  let a37 = step a36 a35
  let a38 = step a37 a36
  let a39 = step a38 a37
  let a40 = step a39 a38
  let a41 = step a40 a39
  let a42 = step a41 a40
  let a43 = step a42 a41
  let a44 = step a43 a42
  let a45 = step a44 a43
  let a46 = step a45 a44
  let a47 = step a46 a45
  in a47
