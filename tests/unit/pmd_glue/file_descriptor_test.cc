#include "pmd_glue/file_descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <utility>

namespace sluice::pmd {
namespace {

bool is_open(int number) { return ::fcntl(number, F_GETFD) >= 0; }

TEST(FileDescriptor, ClosesWhenItGoes) {
    int number = -1;
    {
        const FileDescriptor file(::eventfd(0, 0));
        number = file.number();
        EXPECT_TRUE(is_open(number));
    }
    EXPECT_FALSE(is_open(number));
}

TEST(FileDescriptor, IsClosedByItsLastOwnerAlone) {
    FileDescriptor last;
    EXPECT_FALSE(last.is_open());
    int number = -1;
    {
        FileDescriptor first(::eventfd(0, 0));
        number = first.number();
        last = std::move(first);
    }
    EXPECT_TRUE(is_open(number));
    last.close();
    EXPECT_FALSE(is_open(number));
    EXPECT_FALSE(last.is_open());
}

TEST(FileDescriptor, WhatIsReleasedStaysOpen) {
    int number = -1;
    {
        FileDescriptor file(::eventfd(0, 0));
        number = file.release();
        EXPECT_FALSE(file.is_open());
    }
    EXPECT_TRUE(is_open(number));
    ::close(number);
}

}  // namespace
}  // namespace sluice::pmd
