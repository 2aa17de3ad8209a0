-- A class.
-- at 6
-- ==
-- error: a type is named by "type t =

class Point:
  x = 1
