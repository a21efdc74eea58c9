import { runContract } from "./run-contract.ts";

runContract("canaries and digests");
