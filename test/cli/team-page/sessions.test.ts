import { expect, test } from "vitest";
import type { Login, Tokens } from "../../../cli/team-page/login.ts";
import { createSessions } from "../../../cli/team-page/sessions.ts";

const start = Date.parse("2026-11-20T12:00:00Z");
const minute = 60_000;

/** Creates sessions at the login `company`, with a clock that stands still. */
function open() {
  let at = start;
  let isOpen = true;
  const events: string[] = [];
  const fixture = {
    refresh: (tokens: Tokens): Promise<Tokens> => Promise.resolve({ ...tokens, idToken: "new", expiresAt: expiry(60) }),
  };
  const expiry = (minutes: number) => new Date(at + minutes * minute);
  const login: Login = {
    begin: () => Promise.reject(new Error("not used")),
    finish: () => Promise.reject(new Error("not used")),
    refresh: (tokens) => fixture.refresh(tokens),
    revoke: async ({ idToken, refreshToken }) => void events.push(`revoked ${idToken} ${refreshToken}`),
  };
  const sessions = createSessions({
    logins: new Map([["company", login]]),
    createViewer: (_name, { subject }) => ({
      streams: {
        open: () => undefined,
        add: () => undefined,
        publish: () => undefined,
        close: () => undefined,
        isOpen: () => isOpen,
      },
      views: () => Promise.resolve(new Map()),
      use: ({ idToken }) => void events.push(`${subject} uses ${idToken}`),
      close: () => void events.push(`${subject} closed`),
    }),
    now: () => new Date(at),
    log: () => undefined,
  });
  const begin = (subject = "alice", refreshToken: string | null = "refresh", minutes = 60) =>
    sessions.start("company", { idToken: "old", refreshToken, expiresAt: expiry(minutes), subject, user: subject });
  return {
    sessions,
    events,
    fixture,
    begin,
    pass: (minutes: number) => (at += minutes * minute),
    closePages: () => (isOpen = false),
    has: (secret: string) => sessions.find("company", secret) !== null,
  };
}

test("a session is found by its secret, at its own login", () => {
  const { sessions, begin, has } = open();
  const secret = begin();
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(has(secret)).toBe(true);
  expect(sessions.find("other", secret)).toBeNull();
  for (const forged of ["", "x", `${secret}x`, secret.toLowerCase()]) expect(has(forged)).toBe(false);
});

test("an expired ID token ends it at once, before anything is tended", async () => {
  const { sessions, begin, has, pass, events } = open();
  const secret = begin("alice", null);
  pass(59);
  await sessions.tend();
  expect(has(secret)).toBe(true);
  pass(1);
  expect(has(secret)).toBe(false);
  await sessions.tend();
  expect(events).toEqual(["alice closed", "revoked old null"]);
});

test("an ID token is refreshed in its last minute, and then used", async () => {
  const { sessions, begin, has, pass, events } = open();
  const secret = begin();
  pass(58);
  await sessions.tend();
  expect(events).toEqual([]);
  pass(1.5);
  await sessions.tend();
  expect(events).toEqual(["alice uses new"]);
  pass(14);
  expect(has(secret)).toBe(true);
});

test("a refresh that fails is tried again, until the ID token expires", async () => {
  const { sessions, begin, has, pass, fixture } = open();
  const secret = begin();
  let tries = 0;
  fixture.refresh = () => Promise.reject(new Error(`refused ${++tries}`));
  pass(59.5);
  await sessions.tend();
  await sessions.tend();
  expect([tries, has(secret)]).toEqual([2, true]);
  pass(0.5);
  await sessions.tend();
  expect([tries, has(secret)]).toEqual([2, false]);
});

test("what is refreshed after signing out is revoked, and not used", async () => {
  const { sessions, begin, pass, fixture, events } = open();
  const secret = begin();
  const { promise, resolve } = Promise.withResolvers<Tokens>();
  fixture.refresh = () => promise;
  pass(59.5);
  const tended = sessions.tend();
  sessions.end(secret);
  resolve({ idToken: "new", refreshToken: "next", expiresAt: new Date(start), subject: "alice", user: "alice" });
  await tended;
  expect(events).toEqual(["alice closed", "revoked old refresh", "revoked new next"]);
});

test("a session ends 15 minutes after its last page, and after 12 hours also if a page is open", async () => {
  const idle = open();
  const secret = idle.begin();
  idle.pass(14);
  await idle.sessions.tend();
  idle.closePages();
  idle.pass(14);
  await idle.sessions.tend();
  expect(idle.events).toEqual([]);
  idle.pass(1);
  expect(idle.has(secret)).toBe(false);

  const old = open();
  const other = old.begin("alice", "refresh", 24 * 60);
  for (let hour = 0; hour < 11; hour++) {
    old.pass(60);
    await old.sessions.tend();
  }
  expect(old.has(other)).toBe(true);
  old.pass(60);
  expect(old.has(other)).toBe(false);
});

test("a sixth session of a user ends the first one, and nobody else's", () => {
  const { begin, has } = open();
  const bob = begin("bob");
  const [first = "", ...others] = Array.from({ length: 6 }, () => begin());
  expect(has(first)).toBe(false);
  expect([bob, ...others].every(has)).toBe(true);
});

test("there are at most 500 sessions", () => {
  const { begin, has } = open();
  const secrets = Array.from({ length: 501 }, (_, index) => begin(`user-${index}`));
  expect(secrets.map(has).indexOf(true)).toBe(1);
});

test("all end with the server", () => {
  const { sessions, begin, has } = open();
  const secrets = [begin(), begin("bob")];
  sessions.endAll();
  expect(secrets.some(has)).toBe(false);
});
