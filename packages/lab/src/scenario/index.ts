export { nobody, type Scenario, type ScenarioName } from './scenario.ts';
export {
  defaultOf,
  readScenario,
  type ScenarioProblem,
  scenarioProblem,
  writeScenario,
} from './scenario-query.ts';
export type { Story, StoryProps } from './story.ts';
