import { type BucketPlace, parseBucket } from '@gantry/store';
import { UsageError } from './usage-error.ts';

/** Parses the setting of a bucket. @throws UsageError for another address. */
export function bucketAddress(text: string, name: string): BucketPlace {
  const place = parseBucket(text);
  if (place) return place;
  throw new UsageError(`${name} must be s3://bucket or s3://bucket/prefix, not "${text}".`);
}
