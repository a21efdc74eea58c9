import { signatureScenarios } from "./scenarios.ts";
import { testMatrix } from "./test-matrix.ts";

testMatrix(signatureScenarios);
