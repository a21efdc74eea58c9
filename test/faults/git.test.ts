import { gitScenarios } from "./git-scenarios.ts";
import { testMatrix } from "./test-matrix.ts";

testMatrix(gitScenarios);
