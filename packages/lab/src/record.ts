export { createExplainer, type Explainer } from './explain/create-explainer.ts';
export { explain } from './explain/explain.ts';
export { explainParams } from './explain/explain-params.ts';
export type { Explanation } from './explain/explanation.ts';
export type { ManifestFacts } from './explain/manifest-line.ts';
export { type ProblemId, type ProblemTexts, problem } from './explain/problems.ts';
export type { Entry, LabEvent, Report, SourcePlace } from './record/entry.ts';
