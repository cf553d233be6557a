//===- examples/pass-plugin/NoPlugin.cpp - A library that is no plug-in ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
extern "C" int tailorNoPassHere();
extern "C" int tailorNoPassHere() { return 0; }
