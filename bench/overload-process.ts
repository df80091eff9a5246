// The server of `overload.ts`, with production limits.
import { defaultLimits } from '../packages/server/src/edge/limits.ts';
import { startBenchSite } from './site.ts';

const { url, consumer, close } = await startBenchSite({ limits: defaultLimits });
process.once('disconnect', close);
process.send?.({ url, consumer });
