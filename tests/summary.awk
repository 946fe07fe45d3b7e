# summary.awk JUNIT.xml: adds up what ctest ran (`ctest --output-junit`). A test that says how many cases it had (Catch2's
# summary, or a line `N passed, N failed`) counts as so many, any other as one; a failed one has at least one failure.

function text_of(line) {
  gsub(/<[^>]*>/, "", line)
  gsub(/&quot;/, "\"", line); gsub(/&lt;/, "<", line); gsub(/&gt;/, ">", line); gsub(/&amp;/, "\\&", line)
  gsub(/^[ \t]+/, "", line)
  return line
}
/<testcase / {
  name = $0; sub(/.*<testcase name="/, "", name); sub(/".*/, "", name)
  status = $0; sub(/.*status="/, "", status); sub(/".*/, "", status)
  cases = 0; bad = 0; last = ""
}
/<skipped / { if ($0 !~ /SKIP_/) status = "fail" }
{
  line = text_of($0)
  if (line != "" && $0 !~ /<testcase /) last = line
  if (line ~ /^All tests passed \(.* in [0-9]+ test cases?\)/) { n = line; sub(/.* in /, "", n); cases = n + 0; bad = 0 }
  if (line ~ /^test cases: /) {
    split(line, words, " "); cases = words[3] + 0
    bad = match(line, /[0-9]+ failed/) ? substr(line, RSTART, RLENGTH) + 0 : 0
  }
  if (line ~ /^[0-9]+ passed, [0-9]+ failed/) { split(line, words, " "); cases = words[1] + words[3]; bad = words[3] + 0 }
}
/<\/testcase>/ {
  if (status == "notrun" || status == "disabled") { skipped++; print "skipped: " name " (" last ")"; next }
  if (cases == 0) cases = 1
  if (status == "fail") { print "failed: " name; if (bad == 0) bad = 1 }
  passed += cases - bad
  failed += bad
}
END { printf "%d passed, %d failed%s\n", passed, failed, skipped ? sprintf(", %d skipped", skipped) : "" }
