import fc from "fast-check";
import { seed } from "../property-runs.ts";

/** Draws the same inputs of a property in each run with the same seed. */
fc.configureGlobal({ seed });
