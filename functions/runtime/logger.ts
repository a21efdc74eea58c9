import { Logger } from "@aws-lambda-powertools/logger";

/** Writes JSON lines to the function's log. */
export const logger = new Logger({ serviceName: process.env["POWERTOOLS_SERVICE_NAME"] || "pawl" });
