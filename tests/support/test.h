/* SPDX-License-Identifier: MIT
 *
 * What every test program includes: cmocka with the headers it wants first.
 */
#ifndef AG_TESTS_TEST_H
#define AG_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
