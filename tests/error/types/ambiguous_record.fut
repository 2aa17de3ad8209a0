-- A record type is not determined.
-- at 6
-- ==
-- error: Type .*is ambiguous.*Must be a record with fields

def f r = r.size
