import { diffTapes, formatTapeDiff } from '@gantry/lab/tape';
import { UsageError } from '@gantry/server';
import { SocialError } from '@gantry/wire';
import { paint } from '../../project/show-diff.ts';
import { withFlags } from '../command.ts';
import { read } from './read-tape.ts';

const options = {
  holes: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  json: { type: 'boolean' },
} as const;

/** `gantry tape diff A B` */
export const diff = withFlags({ options }, async ({ values, positionals: [a, b, ...more], print }) => {
  if (a === undefined || b === undefined || more.length > 0) {
    throw new UsageError('gantry tape diff takes two tapes. See gantry tape --help.');
  }
  const found = diffTapes(read(a), read(b), { holes: values.holes });
  const most = values.all ? Number.POSITIVE_INFINITY : 1;
  print(found, formatTapeDiff(found, { names: [a, b], most, paint }));
  if (!found.isEqual) throw new SocialError('CONFLICT', 'The tapes are different.');
});
