// Arguments out of nothing.
#include "fuzz/memory.h"

#include <cstring>

#include "checks.h"
#include "ir/text.h"

namespace sluice::fuzz {
namespace {

/// y += A x for compressed rows, and the number of rows is written down.
TestCase sparse_product() {
    const char* const text = R"(sdfg product(A, x, y, unused, many) {
  symbol N: int64
  symbol nnz: int64
  struct A name=CSR {
    scalar rows: int32
    array indptr: int32[N + 1]
    array indices: int32[nnz]
    array data: float64[nnz]
  }
  array x: float64[N]
  array y: float64[N]
  struct unused name=Other {
    scalar rows: int32
    array data: float64[nnz]
  }
  container_array many: pointer<float64>[N] {
    array element: float64[N]
  }
  state main {
    n0 = access A.indptr
    n1 = access A.indices
    n2 = access A.data
    n3 = access x
    n4 = map_entry rows [i=0:N] passing (p, c, d, x)
    n5 = map_entry row [k=first:last] passing (c, d, x) (first, last)
    n6 = tasklet multiply (a, c, v) -> (o) { o = a * v[c] }
    n7 = map_exit n5 passing (y)
    n8 = map_exit n4 passing (y)
    n9 = access y
    n10 = tasklet count () -> (o) { o = N }
    n11 = access A.rows
    n0 -> n4.IN_p : A.indptr[0:N + 1]
    n1 -> n4.IN_c : A.indices[0:nnz]
    n2 -> n4.IN_d : A.data[0:nnz]
    n3 -> n4.IN_x : x[0:N]
    n4.OUT_p -> n5.first : A.indptr[i]
    n4.OUT_p -> n5.last : A.indptr[i + 1]
    n4.OUT_c -> n5.IN_c : A.indices[0:nnz]
    n4.OUT_d -> n5.IN_d : A.data[0:nnz]
    n4.OUT_x -> n5.IN_x : x[0:N]
    n5.OUT_c -> n6.c : A.indices[k]
    n5.OUT_d -> n6.a : A.data[k]
    n5.OUT_x -> n6.v : x[0:N]
    n6.o -> n7.IN_y : y[i] wcr="lambda a, b: a + b"
    n7.OUT_y -> n8.IN_y : y[i] wcr="lambda a, b: a + b"
    n8.OUT_y -> n9 : y[0:N] wcr="lambda a, b: a + b"
    n10.o -> n11 : A.rows
  }
})";
    return {ir::parse_text(text).or_fail(), {{"N", 4}, {"nnz", 9}}, 5};
}

template <class T> std::vector<T> values(const Memory& memory, const std::string& member) {
    for (std::size_t at = 0; at < memory.blocks.size(); ++at)
        if (memory.description(at).name == member) {
            Block block = memory.blocks[at];
            std::vector<T> found(block.size() / sizeof(T));
            std::memcpy(found.data(), block.data(), block.size());
            return found;
        }
    ADD_FAILURE() << member;
    return {};
}

TEST(Memory, RowsOfASparseMatrixAreInOrderAndItsColumnsThere) {
    const Memory memory = make_memory(sparse_product()).or_fail();
    EXPECT_EQ(values<std::int32_t>(memory, "A.indptr"), (std::vector<std::int32_t>{0, 2, 4, 6, 9}));
    for (const std::int32_t column : values<std::int32_t>(memory, "A.indices")) EXPECT_TRUE(column >= 0 && column < 4) << column;
    EXPECT_EQ(values<double>(memory, "A.data").size(), 9u);
    EXPECT_EQ(memory.links.size(), 3u);  // what nobody touches has none
}

TEST(Memory, StructuresAreComparedWithTheirMembers) {
    const driver::PrivateFolder folder = test_folder();
    CheckOptions options;
    options.configurations = all_configurations();
    const TestCase test = sparse_product();
    if (const auto finding = check_case(test, options, folder.path())) ADD_FAILURE() << to_string(*finding);

    const Interpreted interpreted = interpret_case(test, {});
    EXPECT_NE(values<double>(interpreted.expected.memory, "y"), values<double>(interpreted.before, "y"));
    Memory other = interpreted.expected.memory;
    other.blocks[0].data()[0] ^= std::byte{1};  // A.rows
    EXPECT_TRUE(first_difference(interpreted.expected, other));
    other = interpreted.expected.memory;
    other.blocks.back().data()[0] ^= std::byte{1};  // A.data
    const auto difference = first_difference(interpreted.expected, other);
    ASSERT_TRUE(difference);
    EXPECT_EQ(difference->argument, "A.data");
}

}  // namespace
}  // namespace sluice::fuzz
