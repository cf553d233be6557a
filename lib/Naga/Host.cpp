//===- Naga/Host.cpp --------------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Naga/Host.h"

#include "Naga/Runtime.h"

#include <cstring>
#include <new>

namespace tailor::naga {

Host::Host() {
  values.resize(4);
  values[kNull].kind = Value::Kind::Null;
  values[kTrue] = {Value::Kind::Bool, true, {}};
  values[kFalse] = {Value::Kind::Bool, false, {}};
}

void Host::clear() {
  for (uint32_t i = kFalse + 1; i < values.size(); ++i)
    if (values[i].kind == Value::Kind::Object || values[i].kind == Value::Kind::Error) {
      values[i] = {};
      unused.push_back(i);
    }
  thrown.clear();
}

uint32_t Host::add(Value value) {
  if (!unused.empty()) {
    const uint32_t index = unused.back();
    unused.pop_back();
    values[index] = std::move(value);
    return index;
  }
  values.push_back(std::move(value));
  return static_cast<uint32_t>(values.size() - 1);
}

const Value &Host::at(wasm_rt_externref_t reference) const {
  const auto index = reinterpret_cast<uintptr_t>(reference);
  return index < values.size() ? values[index] : values[kUndefined];
}

std::string Host::takeError(uint32_t tableIndex) {
  const wasm_rt_externref_table_t &table = module.w2c___wbindgen_externrefs;
  const Value &value = at(tableIndex < table.size ? table.data[tableIndex] : nullptr);
  return value.text;
}

std::string_view Host::bytes(uint32_t address, uint32_t count) const {
  const wasm_rt_memory_t &memory = module.w2c_memory;
  if (address > memory.size || count > memory.size - address)
    leave(Trap::Fault);
  return {reinterpret_cast<const char *>(memory.data) + address, count};
}

void Host::store32(uint32_t address, uint32_t value) {
  std::string_view room = bytes(address, sizeof value);
  std::memcpy(module.w2c_memory.data +
                  (room.data() - reinterpret_cast<const char *>(module.w2c_memory.data)),
              &value, sizeof value);
}

void Host::giveText(uint32_t result, wasm_rt_externref_t reference) {
  const auto length = static_cast<uint32_t>(at(reference).text.size());
  const uint32_t address = Z_nagaZ___wbindgen_malloc(&module, length, 1);
  static_cast<void>(bytes(address, length));
  std::memcpy(module.w2c_memory.data + address, at(reference).text.data(), length);
  store32(result, address);
  store32(result + 4, length);
}

namespace {

/// The reference of a new value; what C++ throws for want of memory becomes a trap once nothing
/// is owned.
wasm_rt_externref_t made(Host &host, Value::Kind kind, uint32_t address, uint32_t length) {
  std::string_view text = host.bytes(address, length);
  bool fits = true;
  uint32_t index = 0;
  try {
    index = host.add({kind, false, std::string(text)});
  } catch (const std::bad_alloc &) {
    fits = false;
  }
  if (!fits)
    leave(Trap::Memory);
  return Host::reference(index);
}

bool isKind(Host *host, wasm_rt_externref_t value, Value::Kind kind) {
  return host->at(value).kind == kind;
}

const uint32_t *member(Host *host, wasm_rt_externref_t object, wasm_rt_externref_t name) {
  for (const auto &[key, value] : host->at(object).members)
    if (key == host->at(name).text)
      return &value;
  return nullptr;
}

} // namespace
} // namespace tailor::naga

using namespace tailor::naga;
using Js = struct Z_Z2EZ2Fnaga_bgZ2Ejs_instance_t;
using Ref = wasm_rt_externref_t;

// The imports of the module, by the names that wasm2c gives them. The hexadecimal ends are
// wasm-bindgen's and hold for this one module, whose hash the build checks. Those that no option
// of ours leads to end the call.
#define IMPORT(NAME) Z_Z2EZ2Fnaga_bgZ2EjsZ_##NAME

extern "C" {

Ref IMPORT(__wbg_Error_67e7344beaa85059)(Js *host, u32 address, u32 length) {
  return made(*host, Value::Kind::Error, address, length);
}
Ref IMPORT(__wbindgen_generic_0000000000000001)(Js *host, u32 address, u32 length) {
  return made(*host, Value::Kind::String, address, length);
}
void IMPORT(__wbg___wbindgen_throw_5d9e815e6fdf150f)(Js *host, u32 address, u32 length) {
  std::string_view text = host->bytes(address, length);
  try {
    host->thrown = text;
  } catch (const std::bad_alloc &) {
    host->thrown.clear();
  }
  leave(Trap::Thrown);
}

u32 IMPORT(__wbg___wbindgen_boolean_get_7a12af2b3f899c5a)(Js *host, Ref value) {
  return !isKind(host, value, Value::Kind::Bool) ? 0xffffff : host->at(value).boolean ? 1 : 0;
}
u32 IMPORT(__wbg___wbindgen_is_object_edb6b15aa3afe12e)(Js *host, Ref value) {
  return isKind(host, value, Value::Kind::Object) || isKind(host, value, Value::Kind::Error);
}
u32 IMPORT(__wbg___wbindgen_is_string_c4f7cb494a2a21f1)(Js *host, Ref value) {
  return isKind(host, value, Value::Kind::String);
}
u32 IMPORT(__wbg___wbindgen_is_undefined_8c687d0b90d5b524)(Js *host, Ref value) {
  return isKind(host, value, Value::Kind::Undefined);
}
u32 IMPORT(__wbg___wbindgen_jsval_loose_eq_3c30021c243b64cd)(Js *host, Ref a, Ref b) {
  auto isNone = [host](Ref value) {
    return isKind(host, value, Value::Kind::Undefined) || isKind(host, value, Value::Kind::Null);
  };
  return a == b || (isNone(a) && isNone(b));
}
u32 IMPORT(__wbg___wbindgen_in_50072d4d6e45c193)(Js *host, Ref name, Ref object) {
  return member(host, object, name) != nullptr;
}
Ref IMPORT(__wbg_get_with_ref_key_6412cf3094599694)(Js *host, Ref object, Ref name) {
  const uint32_t *value = member(host, object, name);
  return Host::reference(value ? *value : Host::kUndefined);
}
Ref IMPORT(__wbg_get_6cf5a4d4d8ad3c5a)(Js *host, Ref object, Ref name) {
  const uint32_t *value = member(host, object, name);
  return Host::reference(value ? *value : Host::kUndefined);
}
void IMPORT(__wbg___wbindgen_string_get_92ab86bb19cbc12f)(Js *host, u32 result, Ref value) {
  if (isKind(host, value, Value::Kind::String)) {
    host->giveText(result, value);
  } else {
    host->store32(result, 0);
    host->store32(result + 4, 0);
  }
}
void IMPORT(__wbg_String_8564e559799eccda)(Js *host, u32 result, Ref value) {
  host->giveText(result, value);
}
void IMPORT(__wbg___wbindgen_debug_string_0e68cf47c9cbd9b0)(Js *host, u32 result, Ref value) {
  host->giveText(result, value);
}
void IMPORT(__wbg___wbindgen_number_get_1dc732b810cb937c)(Js *host, u32 result, Ref) {
  host->store32(result, 0); // no option is a number
}
u32 IMPORT(__wbg___wbindgen_is_function_fcda5e3902d732fe)(Js *, Ref) { return 0; }
u32 IMPORT(__wbg_instanceof_ArrayBuffer_d4ff01f8247925ae)(Js *, Ref) { return 0; }
u32 IMPORT(__wbg_instanceof_Uint8Array_598adc0fef426aa8)(Js *, Ref) { return 0; }
u32 IMPORT(__wbg_isArray_5674713bb7b79043)(Js *, Ref) { return 0; }
u32 IMPORT(__wbg_isSafeInteger_8f51c743827d1ec5)(Js *, Ref) { return 0; }

f64 IMPORT(__wbg_Number_c54e7112a3fa7e3e)(Js *, Ref) { leave(Trap::Fault); }
Ref IMPORT(__wbg_call_269c5566fbede3eb)(Js *, Ref, Ref) { leave(Trap::Fault); }
u32 IMPORT(__wbg_done_cffed884d87aa22e)(Js *, Ref) { leave(Trap::Fault); }
Ref IMPORT(__wbg_entries_972a87586902cf87)(Js *, Ref) { leave(Trap::Fault); }
Ref IMPORT(__wbg_get_b1f0ab13c737f856)(Js *, Ref, u32) { leave(Trap::Fault); }
Ref IMPORT(__wbg_get_unchecked_363572bdd397d473)(Js *, Ref, u32) { leave(Trap::Fault); }
Ref IMPORT(__wbg_iterator_22ddeb808cf55a6f)(Js *) { leave(Trap::Fault); }
u32 IMPORT(__wbg_length_31bdaf014f5fbde2)(Js *, Ref) { leave(Trap::Fault); }
u32 IMPORT(__wbg_length_4e1adc0d42e23620)(Js *, Ref) { leave(Trap::Fault); }
Ref IMPORT(__wbg_new_1da3429bc3c4541c)(Js *, Ref) { leave(Trap::Fault); }
Ref IMPORT(__wbg_next_95053e306b1c3aed)(Js *, Ref) { leave(Trap::Fault); }
Ref IMPORT(__wbg_next_f31ecb8646d2c605)(Js *, Ref) { leave(Trap::Fault); }
void IMPORT(__wbg_prototypesetcall_ae9f5e7459250748)(Js *, u32, u32, Ref) { leave(Trap::Fault); }
Ref IMPORT(__wbg_value_c227f843d21da141)(Js *, Ref) { leave(Trap::Fault); }

void IMPORT(__wbindgen_init_externref_table)(Js *host) {
  wasm_rt_externref_table_t *table = &host->module.w2c___wbindgen_externrefs;
  const uint32_t offset = wasm_rt_grow_externref_table(table, 4, nullptr);
  if (offset == UINT32_MAX)
    leave(Trap::Memory);
  constexpr uint32_t fixed[] = {Host::kUndefined, Host::kNull, Host::kTrue, Host::kFalse};
  for (uint32_t i = 0; i < 4; ++i)
    table->data[offset + i] = Host::reference(fixed[i]);
}

} // extern "C"
