-- The sizes of all payloads must be known.
-- ==
-- error: Ambiguous size .* arising from explicit type ascription
type~ s = #foo ([]i32) | #bar ([]i32)
def f (xs: []i32) = #foo xs : s
