export {
  type CanonicalLine,
  type CanonicalOptions,
  type CanonicalPart,
  canonicalTape,
  canonicalText,
} from './canonical-tape.ts';
export { type DiffRow, diffTapes, type TapeDiff } from './diff-tapes.ts';
export { type Expectation, type LocatorStep, readExpectation } from './expectation.ts';
export { type FormatOptions, formatTapeDiff, type Paint } from './format-tape-diff.ts';
export { readTape } from './read-tape.ts';
export { redactTape } from './redact-tape.ts';
export {
  createTape,
  entriesOf,
  type Tape,
  type TapeEntry,
  type TapeHead,
  tapeBounds,
  tapeVersion,
  writeTape,
} from './tape.ts';
export { readEntry, readHead } from './tape-schema.ts';
export { writeSpec } from './write-spec.ts';
