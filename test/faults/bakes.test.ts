import { bakeScenarios } from "./scenarios.ts";
import { testMatrix } from "./test-matrix.ts";

testMatrix(bakeScenarios);
