import { parseTarget, type Target } from '@gantry/oauth';
import type { Database } from '@gantry/store';
import { type ConditionalRead, type HttpRequest, type HttpResponse, operation, type Topic } from '@gantry/wire';
import { inProcessRequester } from '../auth/authenticate.ts';
import type { Result } from '../formats/result.ts';
import { writeResult } from '../formats/write-result.ts';
import type { CallContext, OperationRunner, PreparedOperation } from '../handlers/operation-runner.ts';
import { etagMatches, notModified, readAnswer, writeAnswer } from '../http/answer.ts';
import { parseBody } from '../http/body.ts';
import { findRoute, type MatchedRoute } from '../http/find-route.ts';
import type { ReadGate } from '../read-gate.ts';
import type { SiteState } from '../settings.ts';
import { currentCopy } from '../store/current-copy.ts';
import { findReadState } from '../store/read-state.ts';
import { readVersions } from '../store/versions.ts';
import { dependencyOf, textValidator, versionValidator } from './validator.ts';

export interface RestOptions {
  readonly db: Database;
  readonly publicUrl: string;
  readonly operations: OperationRunner;
  readonly inGate: ReadGate;
  /** Counts a call. @throws SocialError RATE_LIMITED */
  readonly charge: (call: CallContext) => Promise<void>;
}

/** Route of a request, its requester, and the state of the site. */
export interface RestCall extends CallContext {
  readonly match: MatchedRoute;
  readonly epoch: string;
}

/** Creates the functions that answer requests below the REST root, once they are admitted. */
export function createRest({ db, publicUrl, operations, inGate, charge }: RestOptions) {
  async function read({ header }: HttpRequest, target: Target, call: PreparedOperation, epoch: string) {
    const { requester, query } = call;
    const condition = header('if-none-match');
    // Read before the data: a concurrent change makes data newer than the validator, never older.
    const dependency = dependencyOf({ ...call, memberId: requester.memberId });
    const versions = dependency && (await readVersions(db, dependency));
    const validator =
      versions === undefined ? undefined : versionValidator(call, { epoch, edition: publicUrl, versions });
    if (validator && !condition?.includes('*') && etagMatches(condition, validator)) return notModified(validator);
    const make = async () => {
      const source = await currentCopy(db, { epoch, dependency, versions });
      return textOf(await operations.execute(call, source), target, call);
    };
    const text = await inGate({ requester, operationId: call.operationId, members: call.params.guid }, make);
    const etag = validator ?? textValidator(text, [requester.memberId, requester.appId, query.format]);
    return etagMatches(condition, etag) ? notModified(etag) : readAnswer(text, { format: query.format, etag });
  }

  function textOf(result: Result, target: Target, call: PreparedOperation): string {
    const { operationId, query, guids, settings, zonedTime } = call;
    const context = { operationId, target, memberIds: guids.ids, publicUrl, siteName: settings.name, zonedTime };
    return writeResult(query.format, result, context);
  }

  return {
    async answer(incoming: HttpRequest, target: Target, { match, epoch, ...context }: RestCall): Promise<HttpResponse> {
      const hasBody = incoming.body !== undefined;
      const key = incoming.header('idempotency-key');
      const readBody = (topic: Topic) => parseBody(incoming, topic);
      const call = operations.prepare({ ...match, query: target.query, hasBody, key, readBody }, context);
      if (operation(call.operationId).method === 'GET') return read(incoming, target, call, epoch);
      return writeAnswer(textOf(await operations.execute(call, db), target, call), call.query.format);
    },

    /** Resolves with true while a read of the site's own proxy would be answered with 304. */
    async confirms(
      { rawTarget, consumerKey, requestorId, etag }: ConditionalRead,
      { epoch, settings }: SiteState,
    ): Promise<boolean> {
      try {
        const { path, query } = parseTarget(rawTarget);
        const match = findRoute('GET', path, settings);
        const dependency = dependencyOf({ ...match, memberId: requestorId });
        const state = dependency && (await findReadState(db, { key: consumerKey, requestorId, ...dependency }));
        if (state?.epoch !== epoch) return false;
        const requester = inProcessRequester(state.consumer, { consumerKey, requestorId });
        if (requester === undefined) return false;
        const context = { requester, settings };
        await charge(context);
        const call = operations.prepare({ ...match, query, hasBody: false, readBody: () => null }, context);
        return versionValidator(call, { epoch, edition: publicUrl, versions: state.versions }) === etag;
      } catch {
        return false; // the signed request reports the error
      }
    },
  };
}
