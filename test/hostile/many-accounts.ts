import type { Config } from '../../src/configuration/config.generated.ts'

/** The accounts of a large installation, each with a model, a pattern, and a model that all have. */
export const accountCount = 10_000

const shared = 'shared'

/** A model that no account of the dialect has which asks for it. */
const foreign = 'foreign'

/** Three dialects of accounts at one address. */
export function manyAccounts(url: string): NonNullable<Config['accounts']> {
  const providers = ['openai', 'anthropic', 'gemini']
  return Array.from({ length: accountCount }, (_, at) => ({
    id: `a-${at}`,
    provider: providers[at % providers.length]!,
    baseUrl: at % providers.length === 0 ? `${url}/v1` : url,
    apiKey: 'key',
    models: [
      shared,
      `own-${at}`,
      `own-${at}-*`,
      'any-*',
      ...(at % providers.length < 2 ? [foreign] : []),
    ],
  }))
}

/** A key with a scope that no account has. */
export const scopedKey = {
  id: 'scoped',
  secret: 'scoped-secret',
  models: Array.from({ length: 20 }, (_, at) => `own-customer-${at}/claude-*`),
}

/** The body of a call of a model that a pattern of all accounts matches. */
export function madeUp(at: number): string {
  return JSON.stringify({ model: `any-${at}`, messages })
}

/** A request of a few bytes, and its status. */
interface SmallCall {
  readonly path: string
  /** Absent: a GET. */
  readonly body?: object
  readonly status: number
  /** Whether the key with a scope sends it. */
  readonly isScoped?: boolean
}

const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
const messages = [{ role: 'user', content: 'Hi' }]

/** Small calls that look at all accounts. */
export const smallCalls: Readonly<Record<string, SmallCall>> = {
  'a list of models': { path: '/v1/models', status: 200 },
  'a list of models of Gemini': { path: '/v1beta/models', status: 200 },
  'a call that all decline': {
    path: `/v1beta/models/${foreign}:generateContent`,
    body: { contents, tools: [{ googleMaps: {} }] },
    status: 400,
  },
  'a call of an unknown model': {
    path: '/v1/chat/completions',
    body: { model: 'unknown', messages },
    status: 404,
  },
  'a call of a made-up model': {
    path: '/v1/chat/completions',
    body: { model: 'any-name', messages },
    status: 200,
  },
  'a call without a model by a key with a scope': {
    path: '/v1/conversations',
    body: {},
    status: 200,
    isScoped: true,
  },
  'a list of models of a key with a scope': { path: '/v1/models', status: 200, isScoped: true },
  'a call that refers to an unknown response': {
    path: '/v1/responses',
    body: { model: shared, input: 'Hi', previous_response_id: 'resp_unknown' },
    status: 400,
  },
}
