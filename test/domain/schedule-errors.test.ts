import { describe, expect, test } from "vitest";
import { parseSchedule } from "../../functions/domain/schedule.ts";

describe("what is no schedule is named, with what is allowed", () => {
  test.for([
    { text: "", part: "", why: "names no time: write five fields, such as 0 3 * * *, or @daily" },
    { text: "TZ=UTC", part: "TZ=UTC", why: "names no time" },
    { text: "not-a-cron", part: "not-a-cron", why: "has 1 fields, not 5" },
    {
      text: "0 0 3 * * *",
      part: "0 0 3 * * *",
      why: "has 6 fields, not 5: minute, hour, day of month, month, day of week",
    },
    { text: "60 * * * *", part: "60", why: "is out of range for the minute: 0 to 59 are allowed" },
    { text: "* 24 * * *", part: "24", why: "is out of range for the hour: 0 to 23 are allowed" },
    { text: "* * 0 * *", part: "0", why: "is out of range for the day of month: 1 to 31 are allowed" },
    { text: "* * 1-32 * *", part: "1-32", why: "is out of range for the day of month" },
    { text: "* * * 13 *", part: "13", why: "is out of range for the month: 1 to 12 or JAN to DEC are allowed" },
    { text: "* * * * 7", part: "7", why: "is out of range for the day of week: 0 to 6 or SUN to SAT are allowed" },
    { text: "0 0 1,40 * *", part: "40", why: "is out of range for the day of month" },
    { text: "* * 20-10 * *", part: "20-10", why: "ends before it begins: write the lower day of month first" },
    { text: "* * * * FRI-MON", part: "FRI-MON", why: "ends before it begins" },
    { text: "*/0 * * * *", part: "*/0", why: "has no step: a whole number above 0" },
    { text: "*/-12 * * * *", part: "*/-12", why: "has no step" },
    { text: "* */x * * *", part: "*/x", why: "has no step" },
    { text: "1/2/3 * * * *", part: "1/2/3", why: "has no step" },
    { text: "5/ * * * *", part: "5/", why: "has no step" },
    { text: "* x * * *", part: "x", why: "is no hour: 0 to 23 are allowed" },
    { text: "JAN * * * *", part: "JAN", why: "is no minute" },
    { text: "* * * foo *", part: "foo", why: "is no month: 1 to 12 or JAN to DEC are allowed" },
    { text: "* * * jan-x *", part: "jan-x", why: "is no month" },
    { text: "5--5 * * * *", part: "5--5", why: "is no minute" },
    { text: "-5 * * * *", part: "-5", why: "is no minute" },
    { text: "1.5 * * * *", part: "1.5", why: "is no minute" },
    { text: "*-5 * * * *", part: "*-5", why: "is no minute" },
    { text: "* * L * *", part: "L", why: "is no day of month" },
    { text: "* * * * 1#2", part: "1#2", why: "is no day of week" },
    { text: "* , * * *", part: ",", why: "names no hour: 0 to 23 are allowed" },
    {
      text: "@never",
      part: "@never",
      why: "is not known: @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly",
    },
    { text: "@Daily", part: "@Daily", why: "is not known" },
    { text: "@every", part: "@every", why: "is not known" },
    { text: "@every foo", part: "foo", why: "is not a duration" },
    { text: "@every 5", part: "5", why: "has no unit" },
    { text: "TZ=Mars/Phobos 0 3 * * *", part: "Mars/Phobos", why: "is not a time zone: write an IANA name" },
    { text: "CRON_TZ=+02:00 0 3 * * *", part: "+02:00", why: "is not a time zone" },
    { text: "TZ=Local 0 3 * * *", part: "Local", why: "is not a time zone" },
    { text: "0 3 * * * TZ=UTC", part: "0 3 * * * TZ=UTC", why: "has 6 fields" },
  ])("$text: $why", ({ text, part, why }) => {
    expect(parseSchedule(text)).toEqual({ kind: "invalid", part, reason: expect.stringContaining(`"${part}" ${why}`) });
  });

  test("and so is a default zone that is none", () => {
    expect(parseSchedule("0 3 * * *", "Mars/Phobos")).toMatchObject({ kind: "invalid", part: "Mars/Phobos" });
  });
});
