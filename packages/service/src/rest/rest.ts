import { parseTarget, type Target } from '@gantry/oauth';
import type { Database } from '@gantry/store';
import { type HttpRequest, type HttpResponse, operation, type Topic, type UnsignedRead } from '@gantry/wire';
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
import { type Dependency, readVersions } from '../store/versions.ts';
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

/** State of the site and of the data that a read depends on, before it reads them. */
interface StateBefore {
  readonly target: Target;
  readonly epoch: string;
  readonly dependency: Dependency | undefined;
  readonly versions: string | undefined;
}

/** An unsigned read whose key and requestor were checked. */
export interface AdmittedRead extends CallContext {
  readonly match: MatchedRoute;
  readonly before: StateBefore;
}

/** Creates the functions that answer requests below the REST root, once they are admitted. */
export function createRest({ db, publicUrl, operations, inGate, charge }: RestOptions) {
  async function read(call: PreparedOperation, before: StateBefore, condition: string | undefined) {
    const { requester, query } = call;
    const { target, epoch, dependency, versions } = before;
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

  async function prepareUnsigned({ match, before, requester, settings }: AdmittedRead): Promise<PreparedOperation> {
    const context = { requester, settings };
    await charge(context);
    return operations.prepare({ ...match, query: before.target.query, hasBody: false, readBody: () => null }, context);
  }

  /**
   * Checks key and requestor of an unsigned read, and reads the state before it, in one query.
   *
   * @returns `undefined` where a signed request has to decide, and reports the error.
   */
  async function admitUnsigned(
    { rawTarget, consumerKey, requestorId }: UnsignedRead,
    { epoch, settings }: SiteState,
  ): Promise<AdmittedRead | undefined> {
    try {
      const target = parseTarget(rawTarget);
      const match = findRoute('GET', target.path, settings);
      const dependency = dependencyOf({ ...match, memberId: requestorId });
      const needed = dependency ?? ({ memberIds: [], topic: 'people' } as const);
      const state = await findReadState(db, { key: consumerKey, requestorId, ...needed });
      if (state?.epoch !== epoch) return undefined;
      const requester = inProcessRequester(state.consumer, { consumerKey, requestorId });
      const versions = dependency && state.versions;
      return requester && { requester, settings, match, before: { target, epoch, dependency, versions } };
    } catch {
      return undefined;
    }
  }

  return {
    admitUnsigned,

    async answer(incoming: HttpRequest, target: Target, { match, epoch, ...context }: RestCall): Promise<HttpResponse> {
      const hasBody = incoming.body !== undefined;
      const key = incoming.header('idempotency-key');
      const readBody = (topic: Topic) => parseBody(incoming, topic);
      const call = operations.prepare({ ...match, query: target.query, hasBody, key, readBody }, context);
      if (operation(call.operationId).method === 'GET') {
        // Before the data: a concurrent change makes data newer than the validator, never older.
        const dependency = dependencyOf({ ...call, memberId: context.requester.memberId });
        const versions = dependency && (await readVersions(db, dependency));
        return read(call, { target, epoch, dependency, versions }, incoming.header('if-none-match'));
      }
      return writeAnswer(textOf(await operations.execute(call, db), target, call), call.query.format);
    },

    answerUnsigned: async (admitted: AdmittedRead, etag: string | undefined): Promise<HttpResponse> =>
      read(await prepareUnsigned(admitted), admitted.before, etag),

    /** Resolves with true while a read of the site's own proxy would be answered with 304. */
    async confirms(unsigned: UnsignedRead, site: SiteState): Promise<boolean> {
      const admitted = await admitUnsigned(unsigned, site);
      if (admitted?.before.versions === undefined) return false;
      const { epoch, versions } = admitted.before;
      try {
        const call = await prepareUnsigned(admitted);
        return versionValidator(call, { epoch, edition: publicUrl, versions }) === unsigned.etag;
      } catch {
        return false; // the read itself reports the error
      }
    },
  };
}
