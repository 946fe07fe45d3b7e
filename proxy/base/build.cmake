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
find_path(CALLGATE_TOML_INCLUDE toml++/toml.h REQUIRED)
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(deflate REQUIRED IMPORTED_TARGET libdeflate)

# A start loads and binds every shared library anew; linked in, they spare it a fifth of its time, and a call a
# tenth. All or none: a shared library of C++ and the program must have one standard library.
set(callgate_archives FALSE)
if(CALLGATE_STATIC)
  foreach(library re2 sqlite3 deflate)
    find_library(CALLGATE_ARCHIVE_${library} lib${library}.a)
  endforeach()
  if(re2_LIBRARIES MATCHES absl)
    message(STATUS "CALLGATE_STATIC: RE2 comes with Abseil here; libraries stay shared")
  elseif(NOT CALLGATE_ARCHIVE_re2 OR NOT CALLGATE_ARCHIVE_sqlite3 OR NOT CALLGATE_ARCHIVE_deflate)
    message(STATUS "CALLGATE_STATIC: archives are missing; libraries stay shared")
  else()
    set(callgate_archives TRUE)
  endif()
endif()

# callgate_library(NAME SHARED): links SHARED, or its archive.
function(callgate_library NAME SHARED)
  add_library(callgate_${NAME} INTERFACE)
  if(callgate_archives)
    target_link_libraries(callgate_${NAME} INTERFACE ${CALLGATE_ARCHIVE_${NAME}} Threads::Threads ${CMAKE_DL_LIBS} m)
    target_include_directories(callgate_${NAME} SYSTEM INTERFACE
      $<TARGET_PROPERTY:${SHARED},INTERFACE_INCLUDE_DIRECTORIES>)
  else()
    target_link_libraries(callgate_${NAME} INTERFACE ${SHARED})
  endif()
endfunction()
callgate_library(re2 PkgConfig::re2)
callgate_library(sqlite3 SQLite::SQLite3)
callgate_library(deflate PkgConfig::deflate)

# toml++ is compiled once, here, and not in every file that reads TOML. Without its own assertions: some hold for
# no broken text, which its errors are for.
file(CONFIGURE OUTPUT toml.cpp CONTENT "#define TOML_IMPLEMENTATION\n#include <toml++/toml.h>\n")
add_library(callgate_toml STATIC ${CMAKE_CURRENT_BINARY_DIR}/toml.cpp)
target_compile_definitions(callgate_toml PUBLIC TOML_HEADER_ONLY=0 PRIVATE NDEBUG)
target_include_directories(callgate_toml SYSTEM PUBLIC ${CALLGATE_TOML_INCLUDE})

# Options common to all of our own targets.
function(callgate_options TARGET)
  target_compile_options(${TARGET} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    -Wno-missing-field-initializers  # designated initializers leave out what keeps its default
    # g++ 12 is wrong about coroutine frames that it inlines, and about std::string's operator+ at -O2 and above.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-mismatched-new-delete> $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  if(callgate_archives)
    target_link_options(${TARGET} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
  if(CALLGATE_WERROR)
    target_compile_options(${TARGET} PRIVATE -Werror)
  endif()
  if(CALLGATE_SANITIZE)
    target_compile_options(${TARGET} PRIVATE -fsanitize=${CALLGATE_SANITIZE} -fno-omit-frame-pointer
      -fno-sanitize-recover=all  # what is found ends the test; and half the code of going on after it
      $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=function>)  # clang 14 cannot put that into coroutines
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
