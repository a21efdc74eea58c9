import { runContract } from "./run-contract.ts";

runContract("workloads");
