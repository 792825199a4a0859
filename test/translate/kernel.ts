import { chatDialect } from '../../plugins/dialects/chat/index.ts'
import { generateDialect } from '../../plugins/dialects/generate/index.ts'
import { messagesDialect } from '../../plugins/dialects/messages/index.ts'
import { responsesDialect } from '../../plugins/dialects/responses/index.ts'
import type { Account } from '../../src/contract/account.ts'
import type { Candidate } from '../../src/contract/candidate.ts'
import type { JsonObject } from '../../src/lib/json/object.ts'
import type { Dialect } from '../../src/contract/dialect.ts'
import type { Routed } from '../../src/contract/exchange.ts'
import type { EventMapper } from '../../src/generate/mapper.ts'
import { planTranslatedAttempt } from '../../src/translate/plan.ts'
import { createTranslationServices } from '../../src/translate/services.ts'
import type { AttemptPlan } from '../../src/contract/attempt.ts'
import type { DialectName } from './clients/index.ts'

const dialects: Readonly<Record<DialectName, Dialect>> = {
  chat: chatDialect,
  responses: responsesDialect,
  messages: messagesDialect(),
  generate: generateDialect,
}

const anyAccount: Account = {
  id: 'a',
  provider: 'any',
  origin: 'http://127.0.0.1',
  basePath: '',
  base: 'bare',
  credential: 'account-secret',
  speaks: [],
  textDialects: [],
  models: { upstreamName: (model) => model, names: [] },
  weight: 1,
  priority: 0,
  enabled: true,
  outputLimitField: 'max_completion_tokens',
  asksForUsage: true,
  replyModel: 'account',
}

const schema = { type: 'object', properties: { at: { type: 'string' } } }

/** What a client of each dialect asks for: a word, with two tools at hand. */
export const questions: Readonly<Record<DialectName, JsonObject>> = {
  chat: {
    model: 'm',
    messages: [{ role: 'user', content: 'Hello' }],
    stream_options: { include_usage: true },
    tools: ['look', 'hear'].map((name) => ({
      type: 'function',
      function: { name, parameters: schema },
    })),
  },
  responses: {
    model: 'm',
    input: 'Hello',
    tools: ['look', 'hear'].map((name) => ({ type: 'function', name, parameters: schema })),
  },
  messages: {
    model: 'm',
    max_tokens: 4096,
    thinking: { type: 'enabled', budget_tokens: 1024 },
    messages: [{ role: 'user', content: 'Hello' }],
    tools: ['look', 'hear'].map((name) => ({ name, input_schema: schema })),
  },
  generate: {
    contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
    generationConfig: { thinkingConfig: { includeThoughts: true } },
    tools: [
      {
        functionDeclarations: ['look', 'hear'].map((name) => ({
          name,
          parametersJsonSchema: schema,
        })),
      },
    ],
  },
}

export interface Asking {
  readonly client: DialectName
  readonly account: DialectName
  readonly stream: boolean
  /** Members of the client's body besides those of `questions`. */
  readonly body?: JsonObject
  readonly query?: string
}

/** What the gateway knows of a request that it translates, without anything around it. */
export function exchangeOf({ client, account, stream, ...more }: Asking): Routed {
  const { query = client === 'generate' ? 'alt=sse' : '' } = more
  const json = { ...questions[client], ...(client !== 'generate' && { stream }), ...more.body }
  const candidate: Candidate = {
    account: anyAccount,
    dialect: dialects[account] as Candidate['dialect'],
    native: client === account,
    upstreamModel: 'large',
  }
  const exchange: Pick<
    Routed,
    'id' | 'dialect' | 'candidate' | 'body' | 'call' | 'model' | 'caller' | 'client'
  > = {
    id: 'req_of_exchange',
    dialect: dialects[client],
    candidate,
    body: { json } as Routed['body'],
    call: { model: 'm', stream, refersTo: [], edits: [], losses: [] },
    model: { requested: 'm', model: 'm' } as unknown as Routed['model'],
    caller: { keyId: 'test', mayUse: () => true },
    client: { signal: new AbortController().signal } as Routed['client'],
  }
  return {
    ...exchange,
    request: { query, headers: {} },
    progress: {},
    attempt: {},
  } as unknown as Routed
}

const services = createTranslationServices({})

/** The gateway's translation of one attempt. */
export function approach(
  exchange: Routed,
  mappers: readonly EventMapper[] = [],
): Promise<AttemptPlan> {
  return planTranslatedAttempt(exchange, services, mappers)
}
