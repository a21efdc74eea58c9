import { nodePoolScenarios } from "./scenarios.ts";
import { testMatrix } from "./test-matrix.ts";

testMatrix(nodePoolScenarios);
