import { gateScenarios } from "./gate-scenarios.ts";
import { testMatrix } from "./test-matrix.ts";

testMatrix(gateScenarios);
