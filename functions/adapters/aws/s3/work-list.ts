import {
  DeleteObjectsCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { Forbidden, Unreachable } from "../../../ports/errors.ts";
import { type ChunkKey, type WorkList, WorkListLost } from "../../../ports/work-list.ts";
import { mapAwsError } from "../map-error.ts";

interface Options {
  readonly client: S3Client;
  readonly bucket: string;
  /** The first part of all keys: the cluster's name. */
  readonly prefix: string;
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html */
const maxKeys = 1000;

/** Creates access to the work lists in an S3 bucket, whose lifecycle rule deletes what a killed poll leaves. */
export function createS3WorkList({ client, bucket: Bucket, prefix }: Options): WorkList {
  const keyOf = ({ poll, bucket, chunk }: ChunkKey) => `${prefix}/${poll}/${bucket}-${chunk}.jsonl.gz`;

  async function call<Output>(operation: string, send: () => Promise<Output>): Promise<Output> {
    try {
      return await send();
    } catch (error) {
      if (isRefusal(error)) throw new Forbidden(`${operation}: ${error.name}: ${error.message}`, { cause: error });
      throw mapAwsError(error, operation);
    }
  }

  return {
    async put(chunk, content) {
      const Key = keyOf(chunk);
      const command = new PutObjectCommand({ Bucket, Key, Body: content, ContentType: "application/gzip" });
      await call(`PutObject ${Key}`, () => client.send(command));
    },
    get(chunk) {
      const Key = keyOf(chunk);
      return call(`GetObject ${Key}`, async () => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key })).catch((error: unknown) => {
          if (error instanceof NoSuchKey) throw new WorkListLost(`${Bucket}/${Key} does not exist`, { cause: error });
          throw error;
        });
        if (Body === undefined) throw new Unreachable(`GetObject ${Key}: an empty response`);
        return Body.transformToByteArray();
      });
    },
    async delete(chunks) {
      for (let at = 0; at < chunks.length; at += maxKeys) {
        const Objects = chunks.slice(at, at + maxKeys).map((chunk) => ({ Key: keyOf(chunk) }));
        const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
        const { Errors: [refused] = [] } = await call("DeleteObjects", () => client.send(command));
        if (refused !== undefined) throw new Unreachable(`DeleteObjects ${refused.Key}: ${refused.Code}`);
      }
    },
  };
}

/** Without the right to list the bucket, S3 answers 403 for an object that does not exist, too. */
function isRefusal(error: unknown): error is S3ServiceException {
  if (!(error instanceof S3ServiceException)) return false;
  const { httpStatusCode } = error.$metadata;
  return httpStatusCode === 401 || httpStatusCode === 403 || /^(AccessDenied|ExpiredToken)/.test(error.name);
}
