import { describe, expect, test } from "vitest";
import { redact, redactLines } from "../../../functions/domain/text/redact.ts";

const hex = "0a1b2c3d";
const base64 = "aB3+dE5/gH7ijKL0mN1pQ2rS3tU4vW5xY6zA7bC8";

test.for([
  ["dial postgres://app:hunter2@db:5432/x", "dial postgres://app:[redacted]@db:5432/x"],
  ["redis://:hunter2@cache:6379", "redis://:[redacted]@cache:6379"],
  ["amqp://app:p@ss/w:rd@mq", "amqp://app:[redacted]@mq"],
  [`git clone https://${"aB3".repeat(8)}@host/x.git`, "git clone https://[redacted]@host/x.git"],
  ["app:hunter2@tcp(db:3306)/shop", "app:[redacted]@tcp(db:3306)/shop"],
  ["Authorization: Bearer abcdef0123456789", "Authorization: Bearer [redacted]"],
  ["Authorization: ApiKey abc", "Authorization: ApiKey [redacted]"],
  ["Basic dXNlcjpwYXNz", "Basic [redacted]"],
  ["Cookie: a=b; session=c, d", "Cookie: [redacted] d"],
  ['password="hunter2" user=app', 'password="[redacted]" user=app'],
  ["DB_PASSWORD=hunter2", "DB_PASSWORD=[redacted]"],
  ["SMTP_PASS_1 = hunter2", "SMTP_PASS_1 = [redacted]"],
  ["password=a,b&c user=app", "password=[redacted] user=app"],
  ["?access_token=abc&user=1", "?access_token=[redacted]&user=1"],
  ["api_key: abc123, retrying", "api_key: [redacted], retrying"],
  ["AccountKey=abc;EndpointSuffix=x", "AccountKey=[redacted];EndpointSuffix=x"],
  ["{User:app Password:hunter2 Host:db}", "{User:app Password:[redacted] Host:db}"],
  ['{"user":"app","secret":"a, \\"b","x":1}', '{"user":"app","secret":"[redacted]","x":1}'],
  [String.raw`{"m":"{\"token\":\"a b\"}"}`, String.raw`{"m":"{\"token\":\"[redacted]\"}"}`],
  [String.raw`{"m":"{\"token\":\"a b"}`, String.raw`{"m":"{\"token\":\"[redacted]"}`],
  ['"auths":{"auth":"YTpi"}', '"auths":{"auth":"[redacted]"}'],
  ["{'api_key': 'a b'}", "{'api_key': '[redacted]'}"],
  [':password=>"a b"', ':password=>"[redacted]"'],
  ["<password>a b</password>", "<password>[redacted]</password>"],
  ["app --db-password hunter2 --port 1", "app --db-password [redacted] --port 1"],
  ["mysql -uapp -phunter2 -h db shop", "mysql -uapp -p[redacted] -h db shop"],
  ['exec: ["mysqldump","-uapp","-phunter2"]', 'exec: ["mysqldump","-uapp","-p[redacted]"]'],
  ["mariadb-admin -p'hunter2' ping", "mariadb-admin -p'[redacted]' ping"],
  ["mysql --password=hunter2 shop", "mysql --password=[redacted] shop"],
  ["password:\n  hunter2\nuser: app", "password:\n  [redacted]\nuser: app"],
  ["DB_PASSWORD=\r\nhunter2\r\n", "DB_PASSWORD=\r\n[redacted]\r\n"],
  ["db:\n  password: |-\n    hunter2", "db:\n  password: |-\n    [redacted]"],
  ["Enter password:\nhunter2", "Enter password:\n[redacted]"],
  ['password: "hunter2', 'password: "[redacted]'],
  ['password: "hunter2\nnext line"', 'password: "[redacted]\nnext line"'],
  ["got eyJhbGciOiJI.eyJzdWIiOiIx.c2ln", "got [redacted]"],
  [`key AKIA${"ABCD".repeat(4)} end`, "key [redacted] end"],
  [`ghp_${"aB3".repeat(12)}`, "[redacted]"],
  ["xoxb-123456789-abcdef", "[redacted]"],
  ["https://hooks.slack.com/services/T0/B0/abc", "https://hooks.slack.com/services/[redacted]"],
  [`key ${base64}== end`, "key [redacted] end"],
  [`key ${base64}\naB3=\nend`, "key [redacted]\nend"],
  [`{"x":"${base64}"}`, '{"x":"[redacted]"}'],
])("%s", ([text, to]) => {
  expect(redact(text as string)).toBe(to);
  expect(redact(redact(text as string))).toBe(to);
});

describe("a block in PEM", () => {
  test.for([
    ["a -----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY----- end", "a [redacted] end"],
    ["a -----BEGIN PRIVATE KEY----- MIIB", "a [redacted]"],
    ["MIIB -----END PRIVATE KEY----- end", "[redacted] end"],
    ["-----BEGIN A----- x -----BEGIN B----- y -----END B----- end", "[redacted] end"],
    ["---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ---- MIIB", "[redacted]"],
    [String.raw`"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"`, String.raw`"[redacted]\n"`],
  ])("%s", ([text, to]) => {
    expect(redact(text as string)).toBe(to);
  });
});

test.for([
  "no such table: users (line 3)",
  `registry.example:5000/team/app:1.2.3@sha256:${hex.repeat(8)}`,
  `at ${hex.repeat(5)}`,
  "pod 6f1e2d3c-4b5a-6978-8695-a4b3c2d1e0f9 not found",
  "/Users/Bob/Library/6f1e2d3c-4b5a-6978-8695-a4b3c2d1e0f9/file",
  "at com.example.shop.internal.OrderServiceImpl$$EnhancerBySpringCGLIB$$1a2b3c4d.create(OrderServiceImpl.java:123)",
  "java.lang.NoClassDefFoundError: org/springframework/AbstractAnnotationConfigDispatcherServletInitializer",
  'File "/usr/local/lib/python3.12/site-packages/urllib3/connectionpool.py", line 793',
  "at Object.<anonymous> (/app/node_modules/.pnpm/express@4.18.2/node_modules/express/lib/router/index.js:12:3)",
  "/home/runner/work/_temp/a1b2c3d4/Checkout2Service/bin/Release/net8.0/linux-x64/publish/App",
  "default/my-very-long-deployment-name-7f9c5d8b6c-x2x9z",
  "main.main()\n\t/go/src/github.com/acme/Shop/internal/server/HandlerFactory.go:12 +0x1d",
  "ERR_TLS_CERT_ALTNAME_INVALID_FOR_HOST_NAMES_IN_CERTIFICATE",
  "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDwPiEjGHUHGJOSe1o",
  `sha512-${base64}`,
  'secret "web-tls" not found',
  "couldn't find key DB_URL in Secret shop/web",
  "reading token: open /var/run/secrets/kubernetes.io/serviceaccount/token: no such file or directory",
  'FATAL: password authentication failed for user "app"',
  "Access denied for user 'app'@'10.0.0.1' (using password: YES)",
  "invalid password: too short",
  "SyntaxError: Unexpected token < in JSON at position 0",
  "SyntaxError: Unexpected token: punc (})",
  "Bearer authentication required",
  'WWW-Authenticate: Bearer realm="https://auth.example/token",service="registry.example"',
  "Basic authentication failed",
  "http://web:8080/path?email=a@b.example",
  "https://example.com/users/@me/profile",
  "postgres://app@db:5432/x",
  "listen tcp :8080: bind: address already in use",
  "flag needs an argument: --password",
  "--token is required",
  "app --token --verbose",
  'password: ""',
  "password:",
  "password:\n",
  "password:\nuser:\n",
  "password:\nConnection refused by db",
  "Enter password:\nfailed",
  "tokens:\n- name: a",
  "mysql -p -h db",
  "mysqld_exporter -port=9104 --protocol=tcp -path /metrics",
  "docker run -p8080:80 web",
])("leaves %s", (text) => {
  expect(redact(text)).toBe(text);
});

test("returns lines without control characters, invisible ones and halves of characters", () => {
  const text = "\u001B[31mfailed\u001B[0m\u0007 \u202Eat\u200B 1\uD83D\r\n\n \u0085\nline😀\tb\n";
  expect(redactLines(text)).toEqual(["failed at 1", "line😀 b"]);
});

test("finds what control characters divide, and keys of several lines", () => {
  expect(redactLines("pass\u001B[1mword\u200B=hunter2")).toEqual(["password=[redacted]"]);
  expect(redactLines("a\n-----BEGIN PRIVATE KEY-----\nMIIB\nAA==")).toEqual(["a", "[redacted]"]);
});

test("takes linear time", () => {
  const started = performance.now();
  for (const part of [
    'password="',
    "://a:",
    "-----BEGIN A",
    "eyJa.",
    "aB3/",
    '\\"',
    "token: ",
    "token:\n",
    "mysql -p",
    " -pa",
    "--",
    "Bearer ",
  ])
    redact(part.repeat(100_000 / part.length));
  expect(performance.now() - started).toBeLessThan(5000);
});
