# How every target of callgate is built. Included once by the top CMakeLists.txt.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

find_program(CALLGATE_CCACHE ccache)
if(CALLGATE_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CALLGATE_CCACHE})
endif()

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(OpenSSL 3 REQUIRED COMPONENTS Crypto)
find_package(Boost 1.81 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(SQLite3 3.37 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)

# Options common to all of our own targets.
function(callgate_options TARGET)
  target_compile_options(${TARGET} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    -Wno-missing-field-initializers  # designated initializers leave out what keeps its default
    # g++ 12 is wrong about coroutine frames that it inlines, and about std::string's operator+ at -O2 and above.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-mismatched-new-delete> $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  if(CALLGATE_WERROR)
    target_compile_options(${TARGET} PRIVATE -Werror)
  endif()
  if(CALLGATE_SANITIZE)
    target_compile_options(${TARGET} PRIVATE -fsanitize=${CALLGATE_SANITIZE} -fno-omit-frame-pointer
      -fno-sanitize-recover=all)  # what is found ends the test; and half the code of going on after it
    target_link_options(${TARGET} PRIVATE -fsanitize=${CALLGATE_SANITIZE})
  endif()
endfunction()

# callgate_module(NAME FOLDER [MODULES it may use…]): a static library of every .cpp in FOLDER.
# FOLDER of proxy holds proxy/base too, which is a target of its own, and main.cpp, which is the program.
function(callgate_module NAME FOLDER)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${FOLDER}/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${FOLDER}/*.hpp)
  if(NAME STREQUAL proxy)
    list(FILTER sources EXCLUDE REGEX "/proxy/(base/|main\\.cpp)")
    list(FILTER headers EXCLUDE REGEX "/proxy/base/")
  endif()
  add_library(${NAME} STATIC ${sources})
  target_sources(${NAME} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${headers})
  set_target_properties(${NAME} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON LINKER_LANGUAGE CXX)
  target_include_directories(${NAME} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${NAME} PUBLIC ${ARGN} Threads::Threads)
  callgate_options(${NAME})
  set_property(GLOBAL APPEND PROPERTY CALLGATE_MODULES ${NAME})
  set_property(GLOBAL PROPERTY CALLGATE_FOLDER_${NAME} ${FOLDER})
  set_property(GLOBAL PROPERTY CALLGATE_USES_${NAME} "${ARGN}")
endfunction()

# callgate_embed(TARGET FILE…): data as files. policy/catalogue/tools.toml becomes
#   namespace embedded { extern const std::string_view policy_catalogue_tools_toml; }
# declared by whoever uses it.
function(callgate_embed TARGET)
  foreach(file ${ARGN})
    string(MAKE_C_IDENTIFIER ${file} symbol)
    set(output ${CMAKE_BINARY_DIR}/embedded/${symbol}.cpp)
    add_custom_command(OUTPUT ${output}
      COMMAND ${CMAKE_COMMAND} -DINPUT=${PROJECT_SOURCE_DIR}/${file} -DOUTPUT=${output} -DSYMBOL=${symbol}
              -P ${PROJECT_SOURCE_DIR}/proxy/base/embed.cmake
      DEPENDS ${PROJECT_SOURCE_DIR}/${file} ${PROJECT_SOURCE_DIR}/proxy/base/embed.cmake)
    target_sources(${TARGET} PRIVATE ${output})
  endforeach()
endfunction()
