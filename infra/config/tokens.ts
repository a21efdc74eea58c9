import { Token } from "aws-cdk-lib";

const account = "000000000000";

/** Valid values of the fields that may be tokens, which CloudFormation resolves at the deployment. Each is unique. */
const samples: Readonly<Record<string, (number: number) => string>> = {
  name: (number) => `token-${number}`,
  clusterName: (number) => `token-${number}`,
  region: (number) => `aa-${letters(number)}-1`,
  endpoint: (number) => `https://token-${number}`,
  certificateAuthority: (number) => `LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t${digits(number, 8)}`,
  assumeRoleArn: (number) => `arn:aws:iam::${account}:role/token-${number}`,
  secretArn: (number) => `arn:aws:secretsmanager:aa-a-1:${account}:secret:token-${digits(number, 6)}`,
  vpcId: (number) => `vpc-${digits(number, 17)}`,
  subnetIds: (number) => `subnet-${digits(number, 17)}`,
  availabilityZones: (number) => `aa-${letters(number)}-1a`,
  securityGroupId: (number) => `sg-${digits(number, 17)}`,
  topicArn: (number) => `arn:aws:sns:aa-a-1:${account}:token-${number}`,
  encryptionKeyArn: (number) => `arn:aws:kms:aa-a-1:${account}:key/token-${number}`,
  codeSigningConfigArn: (number) => `arn:aws:lambda:aa-a-1:${account}:code-signing-config:csc-${digits(number, 17)}`,
};

/** What lookups of the CDK return until its command line has found the values: https://docs.aws.amazon.com/cdk/v2/guide/context.html */
const placeholder = /^(?:vpc-12345|[ps]-12345|[ps]-67890|sg-12345678?|dummy1[a-z]|dummy-value-for-.*)$/;

/** The targets of notifications are written to a file, in which no token can be resolved. */
const literal = "notifications";

/** Replaces tokens and the placeholders of lookups, which no rule of the schema accepts, by samples. `restore` puts them back. */
export function replaceTokens(props: object): { readonly props: unknown; restore<Value>(value: Value): Value } {
  const tokens = new Map<string, string>();
  const withoutTokens = (value: string, key: string): string => {
    const isUnknown = Token.isUnresolved(value) || placeholder.test(value);
    const sample = isUnknown ? samples[key]?.(tokens.size) : undefined;
    if (sample === undefined) return value;
    tokens.set(sample, value);
    return sample;
  };
  return {
    props: mapTexts(props, withoutTokens),
    restore: (value) => mapTexts(value, (text) => tokens.get(text) ?? text),
  };
}

/** Maps every text of an object or list; `key` is that of the field that holds it. */
function mapTexts<Value>(value: Value, map: (text: string, key: string) => string, key = ""): Value {
  if (typeof value === "string") return map(value, key) as Value;
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, map, key)) as Value;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, item]: [string, unknown]) => [
    name,
    name === literal ? item : mapTexts(item, map, name),
  ]);
  return Object.fromEntries(entries) as Value;
}

function digits(number: number, length: number): string {
  return String(number).padStart(length, "0");
}

function letters(number: number): string {
  return String(number).replaceAll(/\d/g, (digit) => "abcdefghij".charAt(Number(digit)));
}
