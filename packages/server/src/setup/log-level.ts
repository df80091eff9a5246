import { closest } from '@gantry/wire/runtime';
import type { Environment } from './environment-file.ts';
import { UsageError } from './usage-error.ts';

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type LogLevel = (typeof levels)[number];

/** Reads the level of the log from `GANTRY_LOG`. @throws UsageError for a word that is no level. */
export function readLogLevel({ GANTRY_LOG: word }: Environment, standard: LogLevel): LogLevel {
  if (!word) return standard;
  const level = levels.find((one) => one === word);
  if (level) return level;
  const meant = closest(word, levels);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  throw new UsageError(`GANTRY_LOG must be one of ${levels.join(', ')}, not "${word}".${hint}`);
}
