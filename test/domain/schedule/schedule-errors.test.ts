import { describe, expect, test } from "vitest";
import { parseSchedule } from "../../../functions/domain/schedule/schedule.ts";

describe("an invalid schedule names its invalid part and the allowed values", () => {
  test.for([
    { text: "", part: "", reason: "has no time: use five fields, such as 0 3 * * *, or @daily" },
    { text: "TZ=UTC", part: "TZ=UTC", reason: "has no time" },
    { text: "not-a-cron", part: "not-a-cron", reason: "has 1 fields, not 5" },
    {
      text: "0 0 3 * * *",
      part: "0 0 3 * * *",
      reason: "has 6 fields, not 5: minute, hour, day of month, month, day of week",
    },
    { text: "60 * * * *", part: "60", reason: "is out of range for the minute: 0 to 59 are allowed" },
    { text: "* 24 * * *", part: "24", reason: "is out of range for the hour: 0 to 23 are allowed" },
    { text: "* * 0 * *", part: "0", reason: "is out of range for the day of month: 1 to 31 are allowed" },
    { text: "* * 1-32 * *", part: "1-32", reason: "is out of range for the day of month" },
    { text: "* * * 13 *", part: "13", reason: "is out of range for the month: 1 to 12 or JAN to DEC are allowed" },
    { text: "* * * * 7", part: "7", reason: "is out of range for the day of week: 0 to 6 or SUN to SAT are allowed" },
    { text: "0 0 1,40 * *", part: "40", reason: "is out of range for the day of month" },
    { text: "* * 20-10 * *", part: "20-10", reason: "ends before it begins: use the lower day of month first" },
    { text: "* * * * FRI-MON", part: "FRI-MON", reason: "ends before it begins" },
    { text: "*/0 * * * *", part: "*/0", reason: "has an invalid step: use an integer above 0" },
    { text: "*/-12 * * * *", part: "*/-12", reason: "has an invalid step" },
    { text: "* */x * * *", part: "*/x", reason: "has an invalid step" },
    { text: "1/2/3 * * * *", part: "1/2/3", reason: "has an invalid step" },
    { text: "5/ * * * *", part: "5/", reason: "has an invalid step" },
    { text: "* x * * *", part: "x", reason: "is not a valid hour: 0 to 23 are allowed" },
    { text: "JAN * * * *", part: "JAN", reason: "is not a valid minute" },
    { text: "* * * foo *", part: "foo", reason: "is not a valid month: 1 to 12 or JAN to DEC are allowed" },
    { text: "* * * jan-x *", part: "jan-x", reason: "is not a valid month" },
    { text: "5--5 * * * *", part: "5--5", reason: "is not a valid minute" },
    { text: "-5 * * * *", part: "-5", reason: "is not a valid minute" },
    { text: "1.5 * * * *", part: "1.5", reason: "is not a valid minute" },
    { text: "*-5 * * * *", part: "*-5", reason: "is not a valid minute" },
    { text: "* * L * *", part: "L", reason: "is not a valid day of month" },
    { text: "* * * * 1#2", part: "1#2", reason: "is not a valid day of week" },
    { text: "* , * * *", part: ",", reason: "contains no hour: 0 to 23 are allowed" },
    {
      text: "@never",
      part: "@never",
      reason: "is not a known descriptor: use @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly",
    },
    { text: "@Daily", part: "@Daily", reason: "is not a known descriptor" },
    { text: "@every", part: "@every", reason: "is not a known descriptor" },
    { text: "@every foo", part: "foo", reason: "is not a duration" },
    { text: "@every -5m", part: "@every -5m", reason: "is not above 0" },
    { text: "@every 0", part: "@every 0", reason: "is not above 0" },
    { text: "0 0 30 2 *", part: "0 0 30 2 *", reason: "never comes" },
    { text: "@every 5", part: "5", reason: "has no unit" },
    { text: "TZ=Mars/Phobos 0 3 * * *", part: "Mars/Phobos", reason: "is not a time zone: use an IANA name" },
    { text: "CRON_TZ=+02:00 0 3 * * *", part: "+02:00", reason: "is not a time zone" },
    { text: "TZ=Local 0 3 * * *", part: "Local", reason: "is not a time zone" },
    { text: "0 3 * * * TZ=UTC", part: "0 3 * * * TZ=UTC", reason: "has 6 fields" },
  ])("$text: $reason", ({ text, part, reason }) => {
    expect(parseSchedule(text)).toEqual({
      kind: "invalid",
      part,
      reason: expect.stringContaining(`"${part}" ${reason}`),
    });
  });

  test("so does an invalid default zone", () => {
    expect(parseSchedule("0 3 * * *", "Mars/Phobos")).toMatchObject({ kind: "invalid", part: "Mars/Phobos" });
  });
});
