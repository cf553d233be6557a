// A loop with a branch in it: successors, merges, dominators and the depth of the cycle.
// RUN: %opt --passes=print-cfg %s | FileCheck %s
// CHECK: control flow of 'main'
// CHECK-NEXT: %[[#ENTRY:]]: to %[[#HEADER:]]
// CHECK-NEXT: %[[#HEADER]]: to %[[#TEST:]], merge %[[#OUT:]], continue %[[#NEXT:]], dominated by %[[#ENTRY]], cycle depth 1
// CHECK-NEXT: %[[#TEST]]: to %[[#BODY:]] %[[#OUT]], dominated by %[[#HEADER]], cycle depth 1
// CHECK: %[[#OUT]]: ends, dominated by %[[#TEST]]{{$}}
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint x[]; };
void main() {
  for (uint i = 0; i < 10; ++i)
    if (x[i] == 3)
      x[i] = 4;
}
