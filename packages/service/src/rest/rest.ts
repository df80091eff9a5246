import type { Target } from '@gantry/oauth';
import type { Database } from '@gantry/store';
import { type HttpRequest, type HttpResponse, operation, type Topic } from '@gantry/wire';
import type { Result } from '../formats/result.ts';
import { writeResult } from '../formats/write-result.ts';
import type { CallContext, OperationRunner, PreparedOperation } from '../handlers/operation-runner.ts';
import { etagMatches, notModified, readAnswer, writeAnswer } from '../http/answer.ts';
import { parseBody } from '../http/body.ts';
import type { MatchedRoute } from '../http/find-route.ts';
import { readVersions } from '../store/versions.ts';
import type { WideReads } from '../wide-reads.ts';
import { dependencyOf, textValidator, versionValidator } from './validator.ts';

export interface RestOptions {
  readonly db: Database;
  readonly publicUrl: string;
  readonly operations: OperationRunner;
  readonly wideReads: WideReads;
}

/** Route of a request, its requester, and the state of the site. */
export interface RestCall extends CallContext {
  readonly found: MatchedRoute;
  readonly epoch: string;
}

/** Creates the functions that answer requests below the REST root, once they are admitted. */
export function createRest({ db, publicUrl, operations, wideReads }: RestOptions) {
  async function read({ header }: HttpRequest, target: Target, call: PreparedOperation, epoch: string) {
    const { requester, query } = call;
    const condition = header('if-none-match');
    // Read before the data: a concurrent change makes the data newer than its validator, never
    // older.
    const dependency = dependencyOf({ ...call, memberId: requester.memberId });
    const versions = dependency && (await readVersions(db, dependency));
    const known = versions === undefined ? undefined : versionValidator(call, { epoch, edition: publicUrl, versions });
    if (known !== undefined && !condition?.includes('*') && etagMatches(condition, known)) return notModified(known);
    const make = async () => textOf(await operations.execute(call), target, call);
    const text = await wideReads({ requester, operationId: call.operationId, members: call.params.guid }, make);
    const etag = known ?? textValidator(text, [requester.memberId, requester.appId, query.format]);
    return etagMatches(condition, etag) ? notModified(etag) : readAnswer(text, { format: query.format, etag });
  }

  function textOf(result: Result, target: Target, call: PreparedOperation): string {
    const { operationId, query, guids, settings, zonedTime } = call;
    const context = { operationId, target, memberIds: guids.ids, publicUrl, siteName: settings.name, zonedTime };
    return writeResult(query.format, result, context);
  }

  return {
    async answer(incoming: HttpRequest, target: Target, { found, epoch, ...context }: RestCall): Promise<HttpResponse> {
      const hasBody = incoming.body !== undefined;
      const key = incoming.header('idempotency-key');
      const readBody = (topic: Topic) => parseBody(incoming, topic);
      const call = operations.prepare({ ...found, query: target.query, hasBody, key, readBody }, context);
      if (operation(call.operationId).method === 'GET') return read(incoming, target, call, epoch);
      return writeAnswer(textOf(await operations.execute(call), target, call), call.query.format);
    },

    /** Returns the validator of a read with these versions of its data. @throws SocialError */
    validator({ query }: Target, { found, epoch, ...context }: RestCall, versions: string): string {
      const call = operations.prepare({ ...found, query, hasBody: false, readBody: () => null }, context);
      return versionValidator(call, { epoch, edition: publicUrl, versions });
    },
  };
}
