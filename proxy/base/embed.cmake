# Writes INPUT as a string_view named SYMBOL into OUTPUT.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
file(WRITE ${OUTPUT} "#include <string_view>
namespace embedded {
static constexpr char bytes_${SYMBOL}[] = {${bytes}'\\0'};
extern const std::string_view ${SYMBOL};
constinit const std::string_view ${SYMBOL}{bytes_${SYMBOL}, sizeof bytes_${SYMBOL} - 1};
}  // namespace embedded
")
