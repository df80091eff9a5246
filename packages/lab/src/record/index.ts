export { createExplainer, type Explainer } from '../explain/create-explainer.ts';
export { explain } from '../explain/explain.ts';
export type { Explanation, Known, ManifestFacts } from '../explain/explanation.ts';
export type { Entry, LabEvent, Report, SourcePlace } from './entry.ts';
