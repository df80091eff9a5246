export { canonicalTape, canonicalText } from './canonical-tape.ts';
export { diffTapes } from './diff-tapes.ts';
export { type Expectation, type LocatorStep, readExpectation } from './expectation.ts';
export { formatTapeDiff } from './format-tape-diff.ts';
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
