import type { Config } from '#server/platform/config.ts';
import type { SourceClient } from '#server/platform/http/http-client.ts';
import { SourceError } from '#server/platform/http/source-error.ts';

import { readAnswer } from './answer.ts';
import { ANSWER_NAME, answerJsonSchema } from './answer-schema.ts';
import { buildPrompt, inputHashOf } from './prompt.ts';
import { AnswerError } from './providers/answer-error.ts';
import { createChatClient } from './providers/chat-client.ts';
import { createModelList, type ListedModel } from './providers/model-list.ts';
import { lacks, type Provider } from './providers/provider.ts';
import { providersOf } from './providers.ts';
import type { Analyst, AnalystInput, Answer, Question, Said } from './types.ts';

export type AnalystDeps = {
  config: Config;
  now: () => Date;
  /** The client of a source, by the source's id. */
  clientOf: (source: string) => SourceClient;
  /** Hears of an answer that came and could not be used: the source answered, and yet it gave nothing. */
  onUnusable?: (source: string, error: AnswerError) => void;
};

const SCHEMA = { name: ANSWER_NAME, schema: answerJsonSchema };
const NO_SUCH_MODEL =
  /model.*(not found|not exist|unknown|decommissioned|deprecated|no longer|not supported)|no such model/i;

const isGone = ({ kind, message }: SourceError) =>
  kind === 'status' &&
  (/ answered (404|410)\b/.test(message) || (/ answered 400\b/.test(message) && NO_SUCH_MODEL.test(message)));

function analystAt(provider: Provider, { config, now, clientOf, onUnusable }: AnalystDeps): Analyst {
  const { id, name, letter, source, namesVersion } = provider;
  const keyName = provider.keyName(config);
  const models = createModelList(provider.choice(config), name, now);
  const chat = createChatClient({ name, ...provider.chat });

  async function askModel(model: ListedModel, input: AnalystInput, signal: AbortSignal): Promise<Answer> {
    const { version, messages, hash } = buildPrompt(input);
    const { value, usage, structured, ranModel } = await chat.complete(
      clientOf(source.id),
      { model, messages, schema: SCHEMA },
      signal,
    );
    const read = readAnswer(value, input.climatology);
    if (typeof read === 'string') throw new AnswerError(`${name} cannot be used: ${read}`);
    const ranAnother = namesVersion && ranModel !== null && ranModel !== model.id && ranModel !== model.callAs;
    return {
      ...read,
      model: model.id,
      modelVersion: ranAnother ? ranModel : null,
      promptVersion: version,
      promptHash: hash,
      inputHash: inputHashOf(input),
      usage,
      structured,
    };
  }

  /** A model that is gone is replaced once. */
  async function withModel<T>(ask: (model: ListedModel) => Promise<T>, signal: AbortSignal): Promise<T> {
    if (keyName !== null) throw new SourceError('status', lacks(keyName, name));
    const model = await models.choose(clientOf(source.id), signal);
    try {
      return await ask(model);
    } catch (error) {
      if (!(error instanceof SourceError) || !isGone(error)) throw error;
      models.forget();
      const next = await models.choose(clientOf(source.id), signal);
      if (next.id === model.id) throw error;
      return ask(next);
    }
  }

  async function sayAs(model: ListedModel, question: Question, signal: AbortSignal): Promise<Said> {
    const { name: title, schema, messages } = question;
    const request = { model, messages, schema: { name: title, schema } };
    const { value } = await chat.complete(clientOf(source.id), request, signal);
    return { value, model: model.id };
  }

  const told = (error: unknown): never => {
    if (error instanceof AnswerError) onUnusable?.(source.id, error);
    throw error;
  };

  return {
    id,
    name,
    letter,
    keyName,
    ask: (input, signal) => withModel((model) => askModel(model, input, signal), signal).catch(told),
    say: (question, signal) => withModel((model) => sayAs(model, question, signal), signal).catch(told),
  };
}

/** Everyone who can be asked, and those who lack their key. */
export const createAnalysts = (deps: AnalystDeps): Analyst[] =>
  providersOf(deps.config).map((provider) => analystAt(provider, deps));
