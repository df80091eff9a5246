import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

/** Buckets of the server that `useBucketServer` runs. */
export const bucketNames = ['photos', 'spare'] as const;

/** Runs an S3 server for the tests of a file, and names it to the SDK. */
export function useBucketServer(): void {
  let close: () => Promise<void>;
  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'gantry-bucket-'));
    const server = new S3rver({
      ...{ port: 0, address: '127.0.0.1', silent: true, directory, vhostBuckets: false },
      configureBuckets: bucketNames.map((name) => ({ name })),
    });
    const { port } = await server.run();
    nameEndpoint(port, 5); // s3rver fails now and then when it removes two at once
    close = async () => {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    };
  });
  afterAll(() => close());
}

/** Runs a server that answers as `answer` says for one test, instead of an S3 server. */
export async function useHostileServer(answer: RequestListener): Promise<void> {
  const { AWS_ENDPOINT_URL: before = '' } = process.env;
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  nameEndpoint((server.address() as AddressInfo).port, 1);
  onTestFinished(async () => {
    Object.assign(process.env, { AWS_ENDPOINT_URL: before, AWS_MAX_ATTEMPTS: '5' });
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
}

function nameEndpoint(port: number, attempts: number): void {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
    AWS_MAX_ATTEMPTS: String(attempts),
  });
}
