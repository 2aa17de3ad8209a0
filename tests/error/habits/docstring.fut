-- Documentation as a string in the body.
-- at 7
-- ==
-- error: documentation is a comment before the definition

def f (x: f64) =
  """Doc."""
  x
