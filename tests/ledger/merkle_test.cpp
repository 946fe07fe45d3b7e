#include "ledger/merkle.hpp"

#include "tests/catch.hpp"

using base::Digest;
using ledger::Proof;
using ledger::Tree;

namespace {

// RFC 6962's definition, word for word.
Digest root_by_definition(const std::vector<Digest>& leaves, std::size_t begin, std::size_t end) {
  if (end - begin == 1) return leaves[begin];
  std::size_t split = 1;
  while (split * 2 < end - begin) split *= 2;
  return ledger::node_of(root_by_definition(leaves, begin, begin + split),
                         root_by_definition(leaves, begin + split, end));
}

std::vector<Digest> some_leaves(std::size_t count) {
  std::vector<Digest> leaves;
  for (std::size_t i = 0; i < count; ++i)
    leaves.push_back(base::sha256({std::string_view("\0", 1), std::to_string(i)}));
  return leaves;
}

constexpr std::size_t count = 40;
const std::vector<Digest> leaves = some_leaves(count);

Digest root_of(std::size_t size) { return root_by_definition(leaves, 0, size); }

base::Result<Digest> range(std::uint64_t begin, std::uint64_t end) {
  return root_by_definition(leaves, begin, end);
}

}  // namespace

// The vectors that certificate-transparency-go and RFC 9162 implementations share: eight leaves.
TEST_CASE("the root of the eight known leaves is the known one", "[merkle]") {
  Tree tree;
  CHECK(base::hex(tree.root()) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  for (const char* leaf :
       {"", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"})
    tree.add(base::sha256({std::string_view("\0", 1), *base::from_hex(leaf)}));
  CHECK(base::hex(tree.root()) == "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328");
}

TEST_CASE("a tree that grows has the root of the definition at every size, and comes back from its text",
          "[merkle]") {
  Tree tree;
  for (std::size_t size = 1; size <= count; ++size) {
    tree.add(leaves[size - 1]);
    CHECK(tree.size() == size);
    CHECK(tree.root() == root_of(size));
    CHECK(Tree::from_text(tree.text()) == tree);
  }
}

TEST_CASE("what is no tree's text is refused", "[merkle]") {
  Tree tree;
  for (int i = 0; i < 5; ++i) tree.add(leaves[static_cast<std::size_t>(i)]);
  const std::string text = tree.text();
  CHECK_FALSE(Tree::from_text(""));
  CHECK_FALSE(Tree::from_text("5"));
  CHECK_FALSE(Tree::from_text(text + " "));
  CHECK_FALSE(Tree::from_text("0" + text));
  CHECK_FALSE(Tree::from_text("4" + text.substr(1)));
  for (std::size_t cut = 0; cut < text.size(); ++cut) CHECK_FALSE(Tree::from_text(text.substr(0, cut)));
}

TEST_CASE("every leaf's proof of inclusion leads to the root, and no other leaf, place, size or proof does",
          "[merkle]") {
  for (std::size_t size = 1; size <= count; ++size)
    for (std::size_t index = 0; index < size; ++index) {
      const Proof proof = ledger::inclusion_proof(index, size, range).value();
      INFO(index << " of " << size);
      REQUIRE(ledger::root_of_inclusion(index, size, leaves[index], proof) == root_of(size));
      CHECK(ledger::root_of_inclusion(index, size, leaves[(index + 1) % count], proof) != root_of(size));
      if (size > 1)
        CHECK(ledger::root_of_inclusion((index + 1) % size, size, leaves[index], proof) != root_of(size));
      Proof longer = proof;
      longer.push_back(leaves[0]);
      CHECK_FALSE(ledger::root_of_inclusion(index, size, leaves[index], longer));
      for (std::size_t i = 0; i < proof.size(); ++i) {
        Proof changed = proof;
        changed[i][0] ^= 1;
        CHECK(ledger::root_of_inclusion(index, size, leaves[index], changed) != root_of(size));
      }
      if (proof.empty()) continue;
      const Proof shorter(proof.begin(), proof.end() - 1);
      CHECK_FALSE(ledger::root_of_inclusion(index, size, leaves[index], shorter));
    }
  CHECK_FALSE(ledger::root_of_inclusion(5, 5, leaves[5], {}));
}

TEST_CASE("every two sizes are shown consistent, and no other roots, sizes or proofs are", "[merkle]") {
  for (std::size_t second = 1; second <= count; ++second)
    for (std::size_t first = 1; first <= second; ++first) {
      const Proof proof = ledger::consistency_proof(first, second, range).value();
      const auto holds = [&](std::size_t a, const Digest& of_a, std::size_t b, const Digest& of_b,
                             const Proof& with) { return ledger::consistent(a, of_a, b, of_b, with); };
      INFO(first << " of " << second);
      REQUIRE(holds(first, root_of(first), second, root_of(second), proof));
      CHECK_FALSE(holds(first, base::sha256("y"), second, root_of(second), proof));
      CHECK_FALSE(holds(first, root_of(first), second, base::sha256("x"), proof));
      CHECK_FALSE(holds(0, root_of(first), second, root_of(second), proof));
      if (first < second) CHECK_FALSE(holds(second, root_of(first), first, root_of(second), proof));
      Proof longer = proof;
      longer.push_back(leaves[0]);
      CHECK_FALSE(holds(first, root_of(first), second, root_of(second), longer));
      for (std::size_t i = 0; i < proof.size(); ++i) {
        Proof changed = proof;
        changed[i][5] ^= 4;
        CHECK_FALSE(holds(first, root_of(first), second, root_of(second), changed));
      }
      if (proof.empty()) continue;
      CHECK_FALSE(
          holds(first, root_of(first), second, root_of(second), Proof(proof.begin(), proof.end() - 1)));
    }
}
