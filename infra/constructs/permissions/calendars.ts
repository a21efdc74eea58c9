import { ArnFormat, Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { GatesConfig } from "../../config/schema.ts";

/** Returns the statement to read the state of the change calendars, and nothing else of them. */
export function readCalendarsStatements(
  scope: Construct,
  { changeCalendars }: Pick<GatesConfig, "changeCalendars">,
): readonly PolicyStatement[] {
  if (changeCalendars.length === 0) return [];
  const resources = changeCalendars.map((calendar) =>
    calendar.startsWith("arn:") ? calendar : arnOf(scope, calendar),
  );
  return [new PolicyStatement({ sid: "ReadCalendars", actions: ["ssm:GetCalendarState"], resources })];
}

function arnOf(scope: Construct, resourceName: string): string {
  const arnFormat = ArnFormat.SLASH_RESOURCE_NAME;
  return Stack.of(scope).formatArn({ service: "ssm", resource: "document", resourceName, arnFormat });
}
