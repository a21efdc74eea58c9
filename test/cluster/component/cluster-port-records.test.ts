import { runContract } from "./run-contract.ts";

runContract("records and requests");
