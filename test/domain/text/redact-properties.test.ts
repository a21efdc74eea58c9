import * as fc from "fast-check";
import { expect, test } from "vitest";
import { redactLines } from "../../../functions/domain/text/redact.ts";

const letters = "abcdefghijklmnopqrstuvwxyz";
const alphanumeric = `${letters}${letters.toUpperCase()}0123456789`;
const draws = 2000;
const seed = 25;

function drawn(characters: string, minLength: number, maxLength = minLength): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...characters.split("")), { minLength, maxLength }).map((list) => list.join(""));
}

function bytes(minLength: number, maxLength = minLength): fc.Arbitrary<Buffer> {
  return fc.uint8Array({ minLength, maxLength }).map((list) => Buffer.from(list));
}

/** What stands around a secret in a log. */
const surroundings = fc.constantFrom(
  "",
  "error ",
  "cannot connect: ",
  "\u001B[31mFATAL\u001B[0m ",
  "2026-11-26T12:00:00Z INFO user=app ",
  "line 1\nline 2 ",
  "(attempt 3) ",
  '{"level":"error"} ',
  "app@sha256:0a1b2c3d, ",
);

const password = drawn(`${alphanumeric}!#$%*+_~^.@`, 6, 24);
const plain = drawn(alphanumeric, 6, 30);
const spaced = drawn(`${alphanumeric} !#$%*,;:&<>'`, 6, 24).filter((text) => text.trim() === text);
const names = fc.constantFrom(
  "password",
  "DB_PASSWORD",
  "clientSecret",
  "api-key",
  "x-auth-token",
  "AWS_SECRET_ACCESS_KEY",
);
const jwt = bytes(24).map((one) => `eyJhbGciOiJIUzI1NiJ9.${one.toString("base64url")}.${one.toString("base64url")}`);
const pem = bytes(200, 900).map((one) => one.toString("base64").replaceAll(/.{64}/g, "$&\n"));

const written: Readonly<Record<string, readonly [fc.Arbitrary<string>, (secret: string, name: string) => string]>> = {
  "the password of a URL": [password, (secret) => `postgres://app:${secret}@db:5432/shop?sslmode=disable`],
  "a URL without a user": [password, (secret) => `redis://:${secret}@cache`],
  "an address of MySQL": [plain, (secret) => `app:${secret}@tcp(db:3306)/shop`],
  "a token in a URL": [drawn(alphanumeric, 20, 40), (secret) => `https://${secret}@github.com/a/b.git`],
  "a bearer token": [drawn(`${alphanumeric}-._~+/`, 8, 60), (secret) => `Authorization: Bearer ${secret}`],
  "a bearer token in a sentence": [drawn(`${alphanumeric}-._~+/`, 8, 60), (secret) => `sent bearer ${secret}`],
  "basic credentials": [
    password.map((one) => Buffer.from(`a:${one}`).toString("base64")),
    (secret) => `Basic ${secret}`,
  ],
  "a variable": [password, (secret, name) => `${name}=${secret}`],
  "a header": [password, (secret, name) => `${name}: ${secret}`],
  JSON: [spaced, (secret, name) => JSON.stringify({ user: "app", [name]: secret, port: 1 })],
  "JSON in JSON": [spaced, (secret, name) => JSON.stringify({ body: JSON.stringify({ [name]: secret }) })],
  "JSON that is cut off": [spaced, (secret, name) => JSON.stringify({ [name]: secret }).slice(0, -2)],
  Python: [spaced.filter((one) => !one.includes("'")), (secret, name) => `{'${name}': '${secret}'}`],
  XML: [plain, (secret) => `<db:password>${secret}</db:password>`],
  "a flag": [plain, (secret) => `exec app --db-password ${secret} --port 1`],
  "a query": [plain, (secret) => `GET /x?access_token=${secret}&user=1`],
  "a cookie": [plain, (secret) => `Cookie: theme=dark; session=${secret}`],
  "a key of AWS": [drawn("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16).map((one) => `AKIA${one}`), String],
  "a token of GitHub": [drawn(alphanumeric, 36).map((one) => `ghp_${one}`), String],
  "a token of Slack": [drawn(alphanumeric, 24).map((one) => `xoxb-123456789012-${one}`), String],
  "a JSON Web Token": [jwt, String],
  "a key in PEM": [pem, (secret) => `-----BEGIN RSA PRIVATE KEY-----\n${secret}\n-----END RSA PRIVATE KEY-----\n`],
  "a key in PEM, cut off": [pem, (secret) => `-----BEGIN PRIVATE KEY-----\n${secret}`],
  "the end of a key in PEM": [pem, (secret) => `${secret}\n-----END PRIVATE KEY-----`],
  "a key in PEM in JSON": [pem, (secret) => JSON.stringify({ key: `-----BEGIN PRIVATE KEY-----\n${secret}` })],
};

/** Reports whether eight characters of a secret in a row are left, or all of a shorter one. */
function survives(secret: string, text: string): boolean {
  const length = Math.min(8, secret.length);
  return Array.from({ length: secret.length - length + 1 }, (_, at) => secret.slice(at, at + length)).some((part) =>
    text.includes(part),
  );
}

function survivors(secret: fc.Arbitrary<string>, write: (secret: string, name: string) => string): readonly string[] {
  const cases = fc.tuple(secret, names, surroundings, surroundings);
  return fc.sample(cases, { numRuns: draws, seed }).flatMap(([value, name, before, after]) => {
    const text = redactLines(`${before}${write(value, name)} ${after}`).join("\n");
    return survives(value, text) ? [`${value}: ${text}`] : [];
  });
}

test.for(Object.entries(written))(`of ${draws} draws of %s, none survives`, ([, [secret, write]]) => {
  expect(survivors(secret, write)).toEqual([]);
});

test(`of ${draws} draws of base64 without a name, at most 0.3 % survive`, () => {
  for (const encoding of ["base64", "base64url"] as const) {
    const left = survivors(
      bytes(24, 90).map((one) => one.toString(encoding)),
      String,
    );
    expect(left.length / draws).toBeLessThanOrEqual(0.003);
  }
});

const lower = drawn(letters, 4, 9);
const word = fc.oneof(
  lower,
  lower.map((one) => `${one.charAt(0).toUpperCase()}${one.slice(1)}`),
);
const words = fc.array(word, { minLength: 2, maxLength: 8 });
const hex = (length: number) => drawn("0123456789abcdef", length);
const hash = drawn("bcdfghjklmnpqrstvwxz2456789", 5);

const ordinary: Readonly<Record<string, fc.Arbitrary<string>>> = {
  "an image with a digest": fc.tuple(words, hex(64)).map(([one, digest]) => `${one.join("/")}:1.2.3@sha256:${digest}`),
  "a commit": hex(40).map((one) => `commit ${one}`),
  "a UUID": fc.uuid().map((one) => `request ${one} failed`),
  "the name of a pod": fc
    .tuple(fc.array(lower, { minLength: 2, maxLength: 6 }), hash)
    .map(([one, id]) => `${one.join("-")}-7f9c5d8b6c-${id}`),
  "a path": words.map((one) => `open /${one.join("/")}.conf: no such file or directory`),
  "the name of a class": words.map((one) => `java.lang.NoClassDefFoundError: com/example/${one.join("")}`),
  "a line of a stack trace": words.map((one) => `at com.example.${one.join(".")}.run(${one.join("")}.java:42)`),
  "a constant": words.map((one) => one.join("_").toUpperCase()),
};

test.for(Object.entries(ordinary))(`of ${draws} draws of %s, none is changed`, ([, text]) => {
  const changed = fc.sample(text, { numRuns: draws, seed }).filter((one) => redactLines(one).join("\n") !== one);
  expect(changed).toEqual([]);
});
