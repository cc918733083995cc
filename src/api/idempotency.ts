import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { DomainError } from '@lib/domain/errors';
import { canonicalJson } from '@lib/store/history/canonical-json';
import { RequestRepeated, RequestUnderWay, type FirstEffect, type IdempotentRequest } from '@lib/store/requests/idempotent-requests';
import type { Store } from '@lib/store/store';
import { endsWithin } from '../runtime/in-time';
import { idempotencyKeyOf } from './idempotency-key';
import { Problem } from './problems';
import { STORE } from './tokens';

interface Ways<Answer> {
  /** @param request is committed with what it does; null if the client sent no key */
  act: (request: IdempotentRequest | null) => Promise<Answer>;
  /** The first answer, made again from what the request did. */
  again: (first: FirstEffect) => Promise<Answer>;
}

/** How long a request waits for the same one that is under way. */
const MAX_WAIT_MS = 5_000;

/** Does what is asked for with an `Idempotency-Key` once, and sends the first answer again when the request is repeated. */
@Injectable()
export class Idempotency {
  /** Requests with a key that this process works on. */
  private readonly underWay = new Map<string, Promise<unknown>>();

  constructor(@Inject(STORE) private readonly store: Store) {}

  /**
   * Without a key only acts.
   * @throws Problem idempotency_key_reused; RequestUnderWay if the same request does not end in time
   */
  async once<Answer>(reply: FastifyReply, { act, again }: Ways<Answer>): Promise<Answer> {
    const request = this.digestsOf(reply.request);
    if (!request) return act(null);
    const name = request.digest.toString('latin1');
    const until = performance.now() + MAX_WAIT_MS;
    const answerAgain = async (): Promise<{ answer: Answer } | null> => {
      const first = await this.store.requests.find(...underEachKey(request).map(({ digest }) => digest));
      return first && { answer: await replay(reply, { again, first, request }) };
    };
    for (;;) {
      await this.others(name, until);
      const known = await answerAgain();
      if (known) return known.answer;
      if (this.underWay.has(name)) continue;
      try {
        return await this.alone(name, act(request));
      } catch (error) {
        // Another process carried it out first. That may even be why the request is refused here.
        if (!(error instanceof RequestRepeated || error instanceof DomainError)) throw error;
        const done = await answerAgain();
        if (done) return done.answer;
        throw error;
      }
    }
  }

  private async alone<Answer>(name: string, acting: Promise<Answer>): Promise<Answer> {
    this.underWay.set(name, acting);
    try {
      return await acting;
    } finally {
      this.underWay.delete(name);
    }
  }

  /** Waits until the same request that is under way has ended, in whatever way. */
  private async others(name: string, until: number): Promise<void> {
    const acting = this.underWay.get(name)?.catch(() => undefined);
    if (acting && !(await endsWithin(acting, until - performance.now()))) throw new RequestUnderWay();
  }

  /** Digests of what makes two requests the same one, and of the body as JSON: spaces and the order of properties do not matter. */
  private digestsOf(request: FastifyRequest): IdempotentRequest | null {
    const key = idempotencyKeyOf(request);
    const { caller, method, routeOptions, params, body } = request;
    if (key === null || !caller) return null;
    const { url = '' } = routeOptions;
    // Without the base path, which may differ from process to process, and may have a /v1 of its own.
    const route = url.slice(url.lastIndexOf('/v1/'));
    const identity = canonicalJson([caller.tenantId, method, route, params as object, key]);
    return this.store.requests.digestsOf(identity, canonicalJson(body ?? {}));
  }
}

interface Repeated<Answer> extends Pick<Ways<Answer>, 'again'> {
  first: FirstEffect;
  request: IdempotentRequest;
}

async function replay<Answer>(reply: FastifyReply, { again, first, request }: Repeated<Answer>): Promise<Answer> {
  if (!underEachKey(request).some(({ bodyDigest }) => bodyDigest.equals(first.bodyDigest))) {
    const detail = 'The Idempotency-Key was sent with another body in the last 24 hours: send that body, or another key.';
    throw new Problem('idempotency_key_reused', detail);
  }
  const answer = await again(first);
  reply.header('idempotent-replayed', 'true');
  return answer;
}

const underEachKey = (request: IdempotentRequest) => [request, ...(request.others ?? [])];
