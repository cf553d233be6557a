//===- tools/spirv-tailor/DevicesCommand.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"

#include "Tuning/KnownDevice.h"
#include "Tuning/QuirkRules.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include "CLI/CLI.hpp"

#include <memory>

namespace tailor {

namespace {

struct DevicesArguments {
  std::string format = "text";
};

/// `null` for an empty text.
void writeText(llvm::json::OStream &json, llvm::StringRef name, std::string_view text) {
  if (text.empty())
    json.attribute(name, nullptr);
  else
    json.attribute(name, llvm::StringRef(text));
}

void writeRecognition(llvm::json::OStream &json, const Recognition &known) {
  const DeviceProfile *architecture = known.architecture;
  json.attributeObject("recognized", [&] {
    writeText(json, "by", nameOf(known.by));
    writeText(json, "profile", known.profile ? known.profile->key : "");
    writeText(json, "name", known.profile ? known.profile->name : "");
    writeText(json, "architecture", architecture ? architecture->key : "");
    writeText(json, "architecture_name", architecture ? architecture->name : "");
    writeText(json, "vendor", known.vendor);
  });
}

void writeQuirks(llvm::json::OStream &json, const std::vector<const Quirk *> &quirks) {
  json.attributeArray("quirks", [&] {
    for (const Quirk *quirk : quirks)
      json.object([&] {
        writeText(json, "key", quirk->key);
        json.attributeArray("effects", [&] {
          for (std::string_view effect : namesOf(quirk->effects))
            json.value(llvm::StringRef(effect));
        });
        if (quirk->value != 0)
          json.attribute("value", quirk->value);
        else
          json.attribute("value", nullptr);
        json.attribute("forbids_variants", forbidsVariants(*quirk));
        writeText(json, "what", quirk->what);
        writeText(json, "source", quirk->link);
      });
  });
}

/// `AMD Radeon RX 580 (amd-rx580), GCN 4, gfx8, AMD; by its name`
std::string textOf(const Recognition &known) {
  std::string text;
  auto add = [&](std::string_view part) {
    if (!part.empty() && text.find(part) == std::string::npos)
      text.append(text.empty() ? "" : ", ").append(part);
  };
  if (known.profile)
    text.append(known.profile->name).append(" (").append(known.profile->key).append(")");
  add(known.architecture ? known.architecture->name : "");
  add(known.vendor);
  switch (known.by) {
  case RecognizedBy::DeviceId:
  case RecognizedBy::ArchitectureId:
    return text + "; by its id";
  case RecognizedBy::Name:
  case RecognizedBy::ArchitectureName:
    return text + "; by its name";
  case RecognizedBy::Vendor:
    return text + "; nothing but the vendor";
  case RecognizedBy::Nothing:
    break;
  }
  return "not recognized";
}

void printDevice(llvm::json::OStream &json, const vulkan::DeviceInfo &device) {
  json.object([&] {
    json.attribute("name", device.name);
    json.attribute("type", llvm::StringRef(nameOf(device.type)));
    json.attribute("api_version", device.apiVersionText());
    json.attribute("driver", device.driverName);
    json.attribute("driver_info", device.driverInfo);
    json.attribute("vendor_id", device.vendorId);
    json.attribute("device_id", device.deviceId);
    json.attribute("max_invocations", device.limits.maxInvocations);
    auto extents = [&](const char *name, const Dim3 &value) {
      json.attributeArray(name, [&] {
        for (uint32_t each : value.array())
          json.value(each);
      });
    };
    extents("max_local_size", device.limits.maxLocalSize);
    extents("max_groups", device.limits.maxGroups);
    json.attribute("max_shared_bytes", device.limits.maxSharedBytes);
    json.attribute("subgroup_size", device.limits.subgroupSize);
    json.attribute("timestamp_period_ns", device.limits.timestampPeriodNs);
    json.attribute("timestamp_valid_bits", device.limits.timestampValidBits);
    json.attributeArray("features", [&] {
      for (std::string_view feature : device.features.names())
        json.value(llvm::StringRef(feature));
    });
    writeRecognition(json, recognize(device));
    writeQuirks(json, quirksOf(device));
  });
}

void listDevices(const DevicesArguments &arguments, Diagnostics &diagnostics) {
  Result<std::shared_ptr<vulkan::Instance>> instance = vulkan::Instance::create();
  if (!instance) {
    diagnostics.emit(instance.takeFailure().diagnostic);
    return;
  }
  llvm::raw_ostream &os = llvm::outs();
  if (arguments.format == "json") {
    llvm::json::OStream json(os, 2);
    json.array([&] {
      for (const vulkan::DeviceInfo &device : (*instance)->devices())
        printDevice(json, device);
    });
    os << "\n";
    return;
  }
  for (const vulkan::DeviceInfo &device : (*instance)->devices()) {
    const vulkan::DeviceLimits &limits = device.limits;
    os << device.name << "\n  " << nameOf(device.type) << ", Vulkan " << device.apiVersionText()
       << ", driver " << device.driverName << " " << device.driverInfo
       << "\n  workgroup: " << limits.maxInvocations << " invocations, at most "
       << limits.maxLocalSize.str() << ", " << limits.maxSharedBytes
       << " bytes of workgroup memory, subgroups of " << limits.subgroupSize
       << "\n  dispatch: at most " << limits.maxGroups.str() << " workgroups\n  timestamps: ";
    if (limits.timestampValidBits == 0)
      os << "none (the host's clock is used)\n";
    else
      os << limits.timestampValidBits << " bits, a tick is "
         << llvm::format("%g", static_cast<double>(limits.timestampPeriodNs)) << " ns\n";
    os << "  known as: " << textOf(recognize(device)) << "\n";
    for (const Quirk *quirk : quirksOf(device))
      os << "  fault: " << sentenceOf(*quirk) << "\n";
  }
}

} // namespace

void addDevicesCommand(CLI::App &app, Invocation &invocation) {
  auto arguments = std::make_shared<DevicesArguments>();
  CLI::App *command = app.add_subcommand(
      "devices",
      "Lists the Vulkan devices, their limits and what is known of them and their drivers");
  command->add_option("--format", arguments->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  command->callback([&invocation, arguments] {
    invocation.run = [arguments](Diagnostics &diagnostics) {
      listDevices(*arguments, diagnostics);
    };
  });
}

} // namespace tailor
