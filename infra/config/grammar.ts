import * as v from "valibot";
import { parseTimeZone } from "../../functions/domain/schedule/time-zone.ts";
import { refine, text } from "../../functions/domain/text/schema.ts";

const partition = "arn:aws[a-z-]*";
const regionName = "[a-z]{2,4}(?:-[a-z]+)+-[0-9]";

export const defaultPrefix = "pawl";

/** Without hyphens, so that no name of one deployment is a name of another: `a` with cluster `b-c`, and `a-b` with `c`. */
export const prefix = text(/^[a-z][a-z0-9]{0,11}$/, "1 to 12 of a-z and 0-9, starting with a letter");

/** Resources for all clusters are named `<prefix>-notifications-…`. */
export const clusterName = v.pipe(
  text(/^[a-z0-9]([a-z0-9-]{0,22}[a-z0-9])?$/, "1 to 24 of a-z, 0-9 and inner hyphens"),
  refine((name) => (name === "notifications" ? '"notifications" is reserved for resources of all clusters' : null), {
    not: { const: "notifications" },
  }),
);
export const eksName = text(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/, "the name of an EKS cluster");
export const region = text(new RegExp(`^${regionName}$`), "a region such as eu-central-1");
export const endpoint = text(/^https:\/\/[A-Za-z0-9.-]+(:[0-9]{1,5})?\/?$/, "an https:// address without a path");

/** `certificateAuthority.data` of the EKS API: it starts with "-----BEGIN CERTIFICATE-----" in base64. */
export const certificateAuthority = text(
  /^LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  "a PEM certificate in base64, in one line",
);

export const roleArn = text(new RegExp(`^${partition}:iam::[0-9]{12}:role/[A-Za-z0-9+=,.@_/-]+$`), "the ARN of a role");

/** Complete, with the six characters that Secrets Manager adds: an IAM policy needs them. */
export const secretArn = text(
  new RegExp(`^${partition}:secretsmanager:${regionName}:[0-9]{12}:secret:[A-Za-z0-9/_+=.@-]+-[A-Za-z0-9]{6}$`),
  "the complete ARN of a secret, with the hyphen and six characters at its end",
);

export const topicArn = text(
  new RegExp(`^${partition}:sns:${regionName}:[0-9]{12}:[A-Za-z0-9_-]{1,256}$`),
  "the ARN of a standard SNS topic",
);

export const keyArn = text(
  new RegExp(`^${partition}:kms:${regionName}:[0-9]{12}:key/[A-Za-z0-9-]{1,64}$`),
  "the ARN of a KMS key, and not of an alias",
);

export const codeSigningConfigArn = text(
  new RegExp(`^${partition}:lambda:${regionName}:[0-9]{12}:code-signing-config:csc-[a-z0-9]{17}$`),
  "the ARN of a code signing configuration",
);

/** https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_CreateRepository.html */
export const ecrRepositoryPrefix = text(
  /^[a-z0-9][a-z0-9._/-]{0,255}$/,
  'the start of a repository name, such as "shop/"',
);

export const vpcId = text(/^vpc-[0-9a-f]{8,17}$/, "a VPC's id");
export const subnetId = text(/^subnet-[0-9a-f]{8,17}$/, "a subnet's id");
export const securityGroupId = text(/^sg-[0-9a-f]{8,17}$/, "a security group's id");
export const availabilityZone = text(new RegExp(`^${regionName}[a-z]$`), "an availability zone such as eu-central-1a");
/** https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html */
export const externalId = text(/^[A-Za-z0-9_+=,.@:/-]{2,1224}$/, "2 to 1224 of A-Z, a-z, 0-9 and _+=,.@:/-");
export const accountId = text(/^[0-9]{12}$/, "an account's 12 digits, in quotes");
export const namespace = text(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "the name of a namespace");
export const contextName = text(/^\S+$/, "the name of a context");
export const registryHost = text(/^[A-Za-z0-9.-]+(:[0-9]{1,5})?$/, "host or host:port, without a scheme");

/** `*` stands for a part of one label; alone, for every registry with a public address. */
export const repositoryPattern = text(
  /^(?:\*|(?=.*[a-z0-9])[A-Za-z0-9.*-]+(?::[0-9]{1,5})?(?:\/[a-z0-9._/-]+)?)$/,
  "host[:port][/path], such as ghcr.io/team or *.azurecr.io",
);

const plainProxyUrl = /^http:\/\/(\[[0-9a-f:]+\]|[a-z0-9.-]+)(:[0-9]{1,5})?\/?$/;
const proxyForm = "http://host:port, in lower case, without a login or a path";

/** A login would be readable in the environment of a function; a problem does not repeat it. */
export const proxyUrl = v.pipe(
  v.string(proxyForm),
  refine(
    (url) => {
      if (url.includes("@"))
        return "contains a login, which the environment of a function would show; use http://host:port";
      return plainProxyUrl.test(url) ? null : `${JSON.stringify(url)} is not ${proxyForm}`;
    },
    { pattern: plainProxyUrl.source },
  ),
);

/** Ranges of addresses do not work: `fetch` of Node.js compares the host as a string. */
export const noProxyHost = text(
  /^(?![0-9.]+-[0-9.]+$)(\*?\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]{1,5})?$/,
  "a host such as registry.internal, .internal or 10.0.0.5, in lower case, with or without :port; no range of addresses",
);

export const emailAddress = text(/^[^\s@]+@[^\s@]+$/, "an e-mail address");
export const runbookUrl = text(/^\S+$/, "an address without blanks");

/** AWS reserves the prefix `aws:`. */
export const ownTagKey = text(/^(?!aws:)[A-Za-z0-9_.:/=+@-]{1,128}$/i, "the key of a tag, without the prefix aws:");
export const rolePath = text(/^\/(?:[A-Za-z0-9+=,.@_-]+\/)*$/, "a path such as /pawl/");
export const policyName = text(/^(?:[A-Za-z0-9+=,.@_-]+\/)*[A-Za-z0-9+=,.@_-]{1,128}$/, "the name of an IAM policy");
export const tagKey = text(/^[A-Za-z0-9_.:/=+@-]{1,128}$/, "the key of a tag");
/** Part of an IAM policy, in which `$` and `*` have a special meaning. */
export const tagValue = text(/^[A-Za-z0-9_.:/=+@-]{1,256}$/, "the value of a tag: letters, digits and _.:/=+@-");

/** They are passed in one environment variable, as `runtime=repository` separated by commas. */
export const runtimeName = text(/^[^\s=,]+$/, "a runtime's name");
export const repository = text(/^[^\s=,]+$/, "a repository without a tag");

/** A document of AWS Systems Manager; its ARN if another account or region owns it. */
export const changeCalendar = text(
  new RegExp(`^(?:[A-Za-z0-9_.-]{3,128}|${partition}:ssm:${regionName}:[0-9]{12}:document/[A-Za-z0-9_.-]{3,128})$`),
  "the name or the ARN of a change calendar",
);

export const timeZone = v.pipe(
  text(/^[A-Za-z][A-Za-z0-9_+/-]*$/, "an IANA time zone"),
  refine((name) => (parseTimeZone(name) === null ? `"${name}" is not an IANA time zone` : null)),
);
