#include "policy/command/jq_program.hpp"

#include "tests/catch.hpp"

using policy::command::jq_may_import;

TEST_CASE("a jq program that takes in other files is seen") {
  for (const char* program :
       {"import \"a\" as $d; $d", "include \"a\"; f", "# x\ninclude\"a\" {search:\"/x\"}; f",
        "module {}; import \"a\" as a; a::f", " \"x\" | import"})
    CHECK(jq_may_import(program));
  for (const char* program :
       {".name", ".compilerOptions.include", ".[] | select(.x == \"include \\\" import\")",
        "# include \"a\"\n.x", "$include", "{includes: .a}", ""})
    CHECK_FALSE(jq_may_import(program));
}
