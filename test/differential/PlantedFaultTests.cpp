//===- differential/PlantedFaultTests.cpp - Would a missing condition show? -===//
