// RUN: not %opt --passes='print-accesses<subgroup=0>' %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %opt --passes='print-accesses<subgroup=256>' %s 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not %opt --passes='print-accesses<size=0x1>' %s 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not %opt --passes='print-accesses<entry=other>' %s 2>&1 | FileCheck %s --check-prefix=ENTRY
// NONE: error: {{.*}}1 to 128
// WIDE: error: {{.*}}1 to 128
// SIZE: error: {{.*}}size
// ENTRY: error: {{.*}}'other'
#version 450
layout(local_size_x = 64) in;
void main() {}
