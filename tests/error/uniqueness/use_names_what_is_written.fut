-- What was consumed has another name than what is written at the use: both are said.
-- at 8
-- ==
-- error: Using variable "v", but this was consumed at 7:33-41.*Note: "k", which is used here, may share its memory

def f (v: *[4][]i64) =
  let h = v[0] let k = v[1] let h[0] = 1
  in (h, k)
