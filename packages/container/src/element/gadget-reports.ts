import type { Observed, WireError } from '@gantry/wire';
import type { DispatchEvent, Observation } from '../gadget.ts';
import type { GadgetIncident } from '../gadget-state.ts';

/** Reports of one gadget: events for the page, and observations for tools. */
export interface GadgetReports {
  readonly dispatch: DispatchEvent;
  /** Dispatches an incident for the site's owner. */
  incident(kind: GadgetIncident['kind'], detail?: GadgetIncident['detail']): void;
  /** Reports a step of a load to tools. */
  observe(what: Extract<Observed, { kind: 'load' }>['what'], why?: string, error?: WireError): void;
  /** Receives what is reported from now on. */
  observation: Promise<Observation | undefined> | undefined;
}

export function createGadgetReports(element: HTMLElement & { readonly app: string | null }): GadgetReports {
  function report(observed: Observed): void {
    void reports.observation?.then((at) => at?.report(observed));
  }
  const dispatch: DispatchEvent = (type, detail) => {
    if ('kind' in detail) report({ kind: 'incident', name: detail.kind, detail: detail.detail });
    return element.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable: true }));
  };
  const reports: GadgetReports = {
    observation: undefined,
    dispatch,
    incident: (kind, detail = {}) => void dispatch('gantry-incident', { app: element.app ?? '', kind, detail }),
    observe: (what, why, error) => report({ kind: 'load', what, ...(why && { why }), ...(error && { error }) }),
  };
  return reports;
}
