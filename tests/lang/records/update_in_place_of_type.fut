-- The type of a record is found out by later uses.
def set r : {w: i32} = r with w = 3
def get r = let y = r.x in (y : i32, (r : {x: i32, z: bool}))
-- ==
-- input { } output { 3 1 true }
entry main =
  let (y, r) = get {x = 1, z = true}
  in ((set {w = 1}).w, y, r.z)
