import {
  type BarePlace,
  type CreateFeature,
  checkView,
  createErrors,
  createRollbacks,
  createTitle,
  createWriteReports,
  forgetOthers,
  getState,
  readNames,
  setState,
  topOf,
} from '@gantry/container/without-page';
import type { Scenario } from '@gantry/lab';
import { SocialError } from '@gantry/wire';
import { absentActions, isAbsent } from './absent.ts';

/** Members that replace element and frame. */
export interface NodeExtras {
  readonly scenario: Scenario;
  /** Stands for the gadget's element, over all loads of its app. */
  readonly host: object;
}

type NodePlace = BarePlace & NodeExtras;

/** Features of a host in Node: those of the container that need no page; the others refuse. */
export const nodeFeatures: readonly CreateFeature<NodePlace>[] = [
  createContext,
  createRollbacks,
  createWriteReports,
  createActions,
];

// Like a page without style sheets.
const theme = {
  scheme: 'light',
  contrast: 'normal',
  motion: 'full',
  direction: 'ltr',
  surface: 'rgb(255, 255, 255)',
  ink: 'rgb(0, 0, 0)',
  muted: 'rgb(90, 90, 90)',
  line: 'rgb(220, 220, 220)',
  accent: 'rgb(0, 0, 200)',
  'on-accent': 'rgb(255, 255, 255)',
  radius: '12px',
} as const;

function createContext({ gadget, locale, scenario }: NodePlace) {
  const { theme: scheme = 'light', contrast = 'normal', motion = 'full', direction = 'ltr' } = scenario;
  const timeZone = scenario.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    context: () => ({
      instance: gadget.instance,
      ...gadget.shown,
      locale,
      timeZone,
      theme: { ...theme, scheme, contrast, motion, direction },
      shortcuts: [],
    }),
  };
}

function createActions(place: NodePlace) {
  const { gadget, host, update } = place;
  const hosted = { gadget, host, name: () => ['/'] };
  const title = createTitle(place);
  const { permissions: granted } = gadget.context;
  return {
    actions: {
      ...absentActions,
      ...title.actions,
      ...createErrors(place).actions,
      'state.get': () => getState(hosted),
      'state.set': (value: unknown) => setState(hosted, value),
      'permissions.has': (name: unknown) => granted.some((one) => one === name),
      async 'permissions.request'(names: unknown) {
        const missing = readNames(names).filter((name) => !gadget.context.permissions.includes(name));
        const undeclared = missing.find((name) => !gadget.consent.optional.includes(name));
        if (undeclared !== undefined) {
          throw new SocialError('BAD_REQUEST', `gadget.json does not declare ${undeclared} in optional.`);
        }
        if (missing.length > 0) throw isAbsent('consent');
        return true;
      },
      async 'views.navigate'(view: unknown, params: unknown) {
        const target = checkView(view, asText(params));
        const { views } = gadget.context;
        if (!target || !views.includes(topOf(target.view))) {
          throw new SocialError(
            'BAD_REQUEST',
            `This app has the views ${views.join(', ')}, with at most 20 short parameters.`,
          );
        }
        if (topOf(target.view) !== topOf(gadget.shown.view)) throw isAbsent('navigation');
        gadget.shown = target;
        update();
        return true;
      },
    },
    ready: () => forgetOthers(gadget),
    end: title.end,
  };
}

function asText(params: unknown): Record<string, string> {
  const entries = Object.entries(typeof params === 'object' && params !== null ? params : {});
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? value : (JSON.stringify(value) ?? '')]),
  );
}
