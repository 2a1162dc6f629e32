#include "driver/digest.h"

#include <gtest/gtest.h>

namespace sluice::driver {
namespace {

// The examples of FIPS 180-4 and NIST's long message.
TEST(Digest, IsSha256) {
    EXPECT_EQ(Digest().hexadecimal(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(Digest().bytes("abc").hexadecimal(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(Digest().bytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq").hexadecimal(),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    Digest million;
    for (int i = 0; i < 1000; ++i) million.bytes(std::string(1000, 'a'));
    EXPECT_EQ(million.hexadecimal(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Digest, FieldsDoNotRunTogether) {
    EXPECT_NE(Digest().field("ab").field("c").hexadecimal(), Digest().field("a").field("bc").hexadecimal());
}

}  // namespace
}  // namespace sluice::driver
