-- One part of the result is wanted unique and is not.
-- at 9
-- ==
-- error: incompatible uniqueness

def app (f: []f32 -> (i64, *[]f32)) (x: []f32) : *[]f32 = (f x).1
def g (x: []f32) =
  let same y = (1i64, y)
  in app same x
