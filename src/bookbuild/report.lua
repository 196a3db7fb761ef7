-- Errors found by the filter. They go to standard error, one a line, and bookbuild turns each
-- into "file:line: reason" by looking for the needle's n-th occurrence in the source.
local report = { count = {} }

--- Report `reason`; `needle` is the text in the source that is wrong, `nth` which of its places.
function report.error(needle, nth, reason)
  local flat = reason:gsub("[\r\n\t]", " ")
  io.stderr:write("book-error\t", needle, "\t", nth, "\t", flat, "\n")
end

--- Report `reason` at the next place of `needle`, counted over all calls.
function report.next(needle, reason)
  report.count[needle] = (report.count[needle] or 0) + 1
  report.error(needle, report.count[needle], reason)
end

return report
