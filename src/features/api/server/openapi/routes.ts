import type { FastifyInstance } from 'fastify';

import { readOpenApi } from '#features/api/contract.ts';
import type { Encode } from '#server/platform/encode.ts';
import { createReadModel, type Prepared } from '#server/platform/read-model.ts';
import { serve } from '#server/platform/serve.ts';

import type { ApiCall } from '../call.ts';
import { CORS } from '../http/headers.ts';
import { openApiOf } from './document.ts';
import { examplesOf } from './examples.ts';

type Deps = {
  encode: Encode;
  onInvalid: (error: unknown) => void;
  publicUrl: () => string;
  documentHeaders: Record<string, string>;
};

/** The document, made when it is asked for first. */
export function openApiRoute(app: FastifyInstance, calls: readonly ApiCall[], deps: Deps): void {
  const { encode, onInvalid, publicUrl, documentHeaders } = deps;
  const model = createReadModel<string>({
    name: 'OpenAPI',
    headers: { ...CORS, ...documentHeaders },
    encode,
    onInvalid,
  });
  let made: Promise<Prepared> | undefined;

  async function make(): Promise<Prepared> {
    await model.publish(JSON.stringify(openApiOf(calls, publicUrl(), await examplesOf(calls))));
    return model.current() as Prepared;
  }
  serve(app, readOpenApi, model, () => {
    if (model.current()) return undefined;
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  });
}
