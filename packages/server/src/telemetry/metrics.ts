import type { ProxyObserver } from '@gantry/proxy';
import type { Observation } from '@gantry/service';
import { errorStatus } from '@gantry/wire';
import {
  collectDefaultMetrics,
  Gauge,
  type MetricObjectWithValues,
  type MetricValueWithName,
  Registry,
} from 'prom-client';
import type { Admission } from '../edge/admission.ts';
import type { Area } from '../edge/area.ts';
import type { Load } from '../edge/load.ts';
import { createCounter, createHistogram } from './counters.ts';
import type { ReadSource, StoreCall } from './measured-database.ts';

/** Reason for which the edge refused a request before any work on it. */
export type EdgeRefusal = 'overloaded' | 'waited' | 'failures' | 'answers' | 'malformed';

/** Prometheus metrics of one process. Labels have fixed values: clients create no series. */
export interface Metrics {
  request(request: { readonly area: Area; readonly status: number; readonly seconds: number }): void;
  answered(observation: Observation): void;
  stored(call: StoreCall): void;
  routed(source: ReadSource): void;
  readonly proxied: ProxyObserver;
  refusedAtEdge(reason: EdgeRefusal): void;
  /** Sets the function that returns the number of open event streams; called once. */
  streams(read: () => number): void;
  readonly contentType: string;
  text(): Promise<string>;
}

/** Metrics of one process as data. */
export type ProcessMetrics = readonly MetricObjectWithValues<MetricValueWithName<string>>[];

/** Returns the function that makes the text of `/metrics` for several processes. */
export type ShareMetrics = (own: () => Promise<ProcessMetrics>) => () => Promise<string>;

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const storeSeconds = [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];

const help = {
  gantry_http_requests_total: 'Requests by part of the server and status.',
  gantry_http_request_seconds: 'Time from the last byte of a request’s headers to the last byte of its response.',
  gantry_operations_total:
    'Responses of the service, and to each call of JSON-RPC, by operation, status and format; 304 is a client’s cache hit.',
  gantry_operation_seconds: 'Time that the service took for a response.',
  gantry_authorizations_total: 'Signed requests: accepted with a new nonce, or refused with this oauth_problem.',
  gantry_refusals_total: 'Refusals of the service by reason: an oauth_problem or an error code.',
  gantry_store_seconds: 'Time of one database call, waiting included.',
  gantry_routed_reads_total: 'Reads of the API where there are standbys, by their source.',
  gantry_store_failures_total: 'Failed database calls by reason.',
  gantry_turned_away_total:
    'Requests refused before any work: overload, waited too long, too many failed authorizations from one address, or not HTTP.',
  gantry_upstream_seconds: 'Time of one request to the site behind the proxy, by outcome.',
  gantry_proxy_reads_total:
    'Reads of apps: from the cache, revalidated by the site, read anew, or joined to the same read in flight.',
  gantry_app_calls_limited_total:
    'Calls refused because an app made too many (rate) or has too many in flight (concurrency).',
  gantry_requests_in_flight: 'Requests in progress.',
  gantry_requests_waiting: 'Requests that wait for their work to begin.',
  gantry_event_loop_lag_seconds: 'Delay of the event loop at the last measurement.',
  gantry_overloaded: '1 while new requests are refused.',
  gantry_upstream_breaker_open: '1 while no requests go to the site behind the proxy, 0.5 while one tries it.',
  gantry_event_streams: 'Open event streams.',
} as const;
type Name = keyof typeof help;

/** @param options.share Makes the text of this process's metrics and those of others. */
export function createMetrics(options: {
  readonly load: Pick<Load, 'inFlight' | 'lagSeconds' | 'isOverloaded'>;
  readonly admission: Pick<Admission, 'waiting'>;
  readonly share?: ShareMetrics | undefined;
}): Metrics {
  const { load, admission, share } = options;
  const registry = new Registry();
  const text = share?.(() => registry.getMetricsAsJSON()) ?? (() => registry.metrics());
  collectDefaultMetrics({ register: registry });
  const counter = (name: Name, ...labels: readonly string[]) =>
    createCounter(registry, { name, help: help[name], labels });
  const histogram = (name: Name, label: string, buckets = seconds) =>
    createHistogram(registry, { name, help: help[name], label, buckets });
  const gauge = (name: Name, read: () => number, aggregator: 'sum' | 'max' = 'sum'): void => {
    new Gauge({
      name,
      help: help[name],
      aggregator,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };

  const requests = counter('gantry_http_requests_total', 'area', 'status');
  const requestSeconds = histogram('gantry_http_request_seconds', 'area');
  const operations = counter('gantry_operations_total', 'operation', 'status', 'format');
  const operationSeconds = histogram('gantry_operation_seconds', 'operation');
  const authorizations = counter('gantry_authorizations_total', 'outcome');
  const refusals = counter('gantry_refusals_total', 'reason');
  const storeCalls = histogram('gantry_store_seconds', 'kind', storeSeconds);
  const routedReads = counter('gantry_routed_reads_total', 'source');
  const storeFailures = counter('gantry_store_failures_total', 'reason');
  const edgeRefusals = counter('gantry_turned_away_total', 'reason');
  const upstreamSeconds = histogram('gantry_upstream_seconds', 'outcome');
  const reads = counter('gantry_proxy_reads_total', 'outcome');
  const limitedCalls = counter('gantry_app_calls_limited_total', 'limit');
  gauge('gantry_requests_in_flight', () => load.inFlight);
  gauge('gantry_requests_waiting', () => admission.waiting);
  gauge('gantry_event_loop_lag_seconds', () => load.lagSeconds, 'max');
  gauge('gantry_overloaded', () => Number(load.isOverloaded), 'max');

  return {
    contentType: registry.contentType,
    text,
    request({ area, status, seconds: took }) {
      requests(area, String(status));
      requestSeconds(area, took);
    },
    answered({ operation = 'none', status, format, seconds: took, reason, consumerKey, isCall }) {
      operations(operation, String(status), format);
      operationSeconds(operation, took);
      if (consumerKey !== undefined && !isCall) authorizations('accepted');
      if (reason === undefined) return;
      refusals(problems.has(reason) || Object.hasOwn(errorStatus, reason) ? reason : 'other');
      if (consumerKey === undefined && problems.has(reason)) authorizations(reason);
    },
    stored({ kind, seconds: took, failure }) {
      storeCalls(kind, took);
      if (failure !== undefined) storeFailures(failure);
    },
    routed: (source) => routedReads(source),
    refusedAtEdge: (reason) => edgeRefusals(reason),
    proxied: {
      attempt: ({ outcome, seconds: took }) => upstreamSeconds(outcome, took),
      cache: (outcome) => reads(outcome),
      limited: (limit) => limitedCalls(limit),
      breaker: (state) => gauge('gantry_upstream_breaker_open', () => breakerLevels[state()], 'max'),
    },
    streams: (read) => gauge('gantry_event_streams', read),
  };
}

const breakerLevels = { closed: 0, 'half-open': 0.5, open: 1 } as const;

const problems: ReadonlySet<string> = new Set([
  'nonce_used',
  'parameter_absent',
  'parameter_rejected',
  'permission_denied',
  'rate_limited',
  'signature_invalid',
  'signature_method_rejected',
  'timestamp_refused',
  'token_expired',
  'token_rejected',
  'token_revoked',
  'token_used',
  'verifier_invalid',
  'version_rejected',
]);
