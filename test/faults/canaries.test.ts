import { canaryScenarios } from "./scenarios.ts";
import { testMatrix } from "./test-matrix.ts";

testMatrix(canaryScenarios);
