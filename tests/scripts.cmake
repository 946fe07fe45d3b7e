# Tests that are scripts or data: end-to-end cases, the examples, the real clients and servers.
# A script that cannot run here (no npm, no network) exits 77 with the reason: skipped.

add_executable(case_runner cases/runner/main.cpp cases/runner/scratch.cpp cases/runner/check.cpp
  cases/runner/organisation.cpp)
target_link_libraries(case_runner PRIVATE script_player)
set_target_properties(case_runner PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
callgate_options(case_runner)
target_compile_options(case_runner PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)  # examples/workshop/CMakeLists.txt

file(GLOB case_scripts CONFIGURE_DEPENDS cases/run/*/agent.jsonl)
foreach(script ${case_scripts})
  get_filename_component(folder ${script} DIRECTORY)
  get_filename_component(name ${folder} NAME)
  add_test(NAME case.${name} COMMAND case_runner $<TARGET_FILE:callgate> $<TARGET_FILE:workshop> ${folder})
  set_tests_properties(case.${name} PROPERTIES TIMEOUT 120 SKIP_RETURN_CODE 77)
endforeach()

add_test(NAME scripts.help COMMAND ${PROJECT_SOURCE_DIR}/tests/help.sh ${PROJECT_SOURCE_DIR})

add_test(NAME scripts.coroutines COMMAND ${PROJECT_SOURCE_DIR}/tests/coroutines.sh ${PROJECT_SOURCE_DIR})

add_test(NAME examples.quickstart COMMAND ${PROJECT_SOURCE_DIR}/examples/quickstart.sh --yes --build ${CMAKE_BINARY_DIR})
set_tests_properties(examples.quickstart PROPERTIES TIMEOUT 120)

# Both verifiers on ledgers that were tampered with (tests/verifiers/).
add_executable(first_verifier verifiers/main.cpp verifiers/sample.cpp)
target_link_libraries(first_verifier PRIVATE proxy)
set_target_properties(first_verifier PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
callgate_options(first_verifier)
add_test(NAME second.verifier COMMAND ${PROJECT_SOURCE_DIR}/tests/verifiers/run.sh $<TARGET_FILE:first_verifier>)
add_test(NAME second.shows COMMAND ${PROJECT_SOURCE_DIR}/tests/verifiers/run.sh
  --shows $<TARGET_FILE:first_verifier> $<TARGET_FILE:case_runner> $<TARGET_FILE:callgate> $<TARGET_FILE:workshop>)
set_tests_properties(second.verifier second.shows PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77)

file(GLOB example_scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*/run.sh)
foreach(script ${example_scripts})
  get_filename_component(folder ${script} DIRECTORY)
  get_filename_component(name ${folder} NAME)
  add_test(NAME examples.${name} COMMAND ${script} --build ${CMAKE_BINARY_DIR})
  set_tests_properties(examples.${name} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
endforeach()

if(EXISTS ${PROJECT_SOURCE_DIR}/tests/real/run.sh)
  add_test(NAME real.npm COMMAND ${PROJECT_SOURCE_DIR}/tests/real/run.sh ${CMAKE_BINARY_DIR})
  set_tests_properties(real.npm PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77 RUN_SERIAL ON LABELS slow)
endif()

# Builds what every test but the unit tests runs, and no more.
add_custom_target(whole_program_tests)
add_dependencies(whole_program_tests callgate workshop scripted-agent case_runner first_verifier)
