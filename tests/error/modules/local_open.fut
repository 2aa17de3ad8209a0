-- What is opened locally is not exported.
-- at 8
-- ==
-- error: Unknown name "c.x"

module a = {def x = 1i32}
module c = {local open a def y = x}
def f = c.x + c.y
