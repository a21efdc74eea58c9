import { updateScenarios } from "./scenarios.ts";
import { testMatrix } from "./test-matrix.ts";

testMatrix(updateScenarios);
