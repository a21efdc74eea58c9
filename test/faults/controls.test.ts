import { controlScenarios } from "./control-scenarios.ts";
import { testMatrix } from "./test-matrix.ts";

testMatrix(controlScenarios);
