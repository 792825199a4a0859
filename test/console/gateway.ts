import { createHash } from 'node:crypto'

import type { Config } from '../../src/configuration/config.generated.ts'
import { until } from '../../src/testing/until.ts'
import { type AdminGateway, startAdminGateway } from '../admin/admin-gateway.ts'
import type { GatewayPlugin } from '../../src/contract/plugin.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { type Fault, type Upstream, startUpstream } from './upstream.ts'

/** A gateway with an account in each state. */
export interface SeededGateway extends AsyncDisposable {
  readonly gateway: AdminGateway
  readonly upstream: Upstream
  /** Calls that ended in each way, a call in flight, a stored response and a job. */
  readonly seen: Seen
  /** Texts that no page, answer or storage of a browser may contain. */
  readonly canaries: readonly string[]
  /** Sends a request of a client. */
  call(request: ClientCall): Promise<Response>
}

/** The ids of what the calls of the fixture have made. */
export interface Seen {
  /** A stored response, which `openai-main` owns. */
  readonly responseId: string
  /** A job of a video. */
  readonly jobId: string
  /** The call that `openai-main` failed, and `openai-eu` served. */
  readonly retriedId: string
  /** The call for which no account was left. */
  readonly unservedId: string
  /** A call in flight, which keeps `local-gpu` full. */
  readonly flyingId: string
}

/** A request of a client. */
export interface ClientCall {
  readonly key: string
  readonly path?: string
  readonly body: object
  /** A header that steers the sandbox: `cut=4`. */
  readonly steer?: string
  readonly signal?: AbortSignal
}

/** Has the form of a real secret, for what looks for those. */
const secretOf = (name: string) =>
  `sk-canary-${name}-${createHash('sha256').update(name).digest('hex').slice(0, 24)}`

const accountIds = [
  'openai-main',
  'openai-eu',
  'anthropic-main',
  'anthropic-eu',
  'gemini-main',
  'gemini-night',
  'local-gpu',
  'local-old',
  'partner',
  'studio',
] as const

const keyIds = ['search', 'chat', 'batch', 'agents'] as const

function configOf(url: string): Pick<Config, 'accounts' | 'aliases' | 'teams' | 'keys'> {
  const at = (id: string, provider: string, models: readonly string[], more: object = {}) => ({
    id,
    provider,
    baseUrl: ['openai', 'openai-compatible'].includes(provider) ? `${url}/v1` : url,
    apiKey: secretOf(id),
    models: [...models],
    ...more,
  })
  const free = { prices: 'free' as const }
  return {
    accounts: [
      at('openai-main', 'openai', ['gpt-5.4', 'gpt-5.4-mini', 'sora-2'], { weight: 3 }),
      at('openai-eu', 'openai', ['gpt-5.4', 'gpt-5.4-mini'], { priority: 1 }),
      // The sandbox knows no such key.
      at('openai-spare', 'openai', ['gpt-5.4-pro', 'gpt-5.4-mini'], { priority: 2 }),
      at('anthropic-main', 'anthropic', ['claude-sonnet-4-6', 'claude-haiku-4-5']),
      at('anthropic-eu', 'anthropic', ['claude-opus-5']),
      at('gemini-main', 'gemini', ['gemini-3-pro-preview', 'gemini-3-flash-preview']),
      at('gemini-night', 'gemini', ['gemini-3.1-flash-lite']),
      at('local-gpu', 'openai-compatible', ['qwen3-coder'], { maxConcurrent: 1, ...free }),
      at('local-old', 'openai-compatible', ['qwen3-small'], { ...free }),
      at('partner', 'openai-compatible', ['glm-5']),
      at('studio', 'openai', ['gpt-5.4-nano'], { enabled: false }),
      at('lab', 'openai', ['gpt-5.4-nano']),
    ],
    aliases: {
      fast: {
        model: 'gpt-5.4-mini',
        fallbacks: [{ on: ['unavailable'], model: 'claude-haiku-4-5' }],
      },
      best: 'claude-sonnet-4-6',
    },
    teams: [
      {
        id: 'search',
        name: 'Search',
        quotas: [{ kind: 'cost', amount: 50, window: 'month' }],
      },
      { id: 'support', name: 'Support' },
    ],
    keys: [
      {
        id: 'search',
        secret: secretOf('key-search'),
        team: 'search',
        explain: true,
        quotas: [
          { kind: 'cost', amount: 0.002, window: 'day', action: 'warn' },
          { kind: 'requests', amount: 600, window: '1m' },
        ],
      },
      { id: 'chat', secret: secretOf('key-chat'), team: 'support' },
      { id: 'batch', secret: secretOf('key-batch'), team: 'search', models: ['gpt-*', 'sora-*'] },
      { id: 'agents', secret: secretOf('key-agents') },
    ],
  }
}

/**
 * Starts a gateway behind whose accounts the sandbox stands, and brings about every state of an account. `isBusy`: with
 * calls all the time of the last ten minutes, for pictures.
 */
export async function startSeededGateway({ isBusy = false } = {}): Promise<SeededGateway> {
  await using opening = new AsyncDisposableStack()
  const known = accountIds.map((id) => ({ id, key: secretOf(id) }))
  const upstream = opening.use(await startUpstream(known))
  let behindMs = 0
  const store = openMemoryStore()
  const gateway = opening.use(
    await startAdminGateway({
      ...configOf(upstream.url),
      plugins: [atNight],
      store,
      now: () => Date.now() - behindMs,
    }),
  )
  const calls = clientOf(gateway.url)
  const { pulse } = gateway.services.processes.monitor
  const { chat, done } = calls
  for (const [id, fault] of Object.entries(faults)) upstream.break(id, fault)
  for (const [second, models] of isBusy ? busy() : history) {
    behindMs = second * 1_000
    // Its timer is too slow for ten minutes in some seconds.
    if (isBusy) pulse.roll(Date.now() - behindMs, models.length)
    for (const model of models) await done(chat('agents', model))
    // Failures of several keys open a circuit for all of them.
    for (const model of models) await done(chat('chat', model))
  }
  behindMs = 0
  await gateway.services.processes.beat()
  const seen = await makeCalls(calls, opening)

  await gateway.graph(
    `mutation { disableAccount(input: {id: "lab", reason: "The lab moves."}) { __typename } }`,
  )
  const records = store.records<unknown>('accounts', { listed: true })
  await records.set('archive', damaged)
  await until(async () => (await gateway.graph<Archived>(archived)).data.account !== null)
  const opened = opening.move()
  const secrets = [
    ...accountIds,
    'openai-spare',
    'studio',
    'lab',
    ...keyIds.map((id) => `key-${id}`),
  ]
  return {
    gateway,
    upstream,
    seen,
    canaries: secrets.map(secretOf),
    call: calls.call,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** A rule of an operator's own: at this hour one account gets no calls. */
const atNight: GatewayPlugin = {
  name: 'at-night',
  onCandidates: ({ candidates }) =>
    candidates.map(({ account }) => (account.id === 'gemini-night' ? { excluded: closed } : {})),
  exclusions: (accounts) =>
    accounts.flatMap(({ id }) =>
      id === 'gemini-night' ? [{ account: id, kind: 'other' as const, ...closed }] : [],
    ),
}

const closed = { by: 'at-night', reason: 'serves batches at night only' }

const damaged = { version: 1, createdAt: 1, changedAt: 1, account: { id: 'archive' } }

interface Archived {
  readonly account: object | null
}

const archived = '{ account(id: "archive") { id } }'

const faults: Readonly<Record<string, Fault>> = {
  'anthropic-eu': { status: 500 },
  partner: { status: 500 },
  'gemini-main': { status: 429, retryAfter: 540, model: 'gemini-3-flash' },
  'local-old': { status: 429, retryAfter: 170 },
}

const usual = ['gpt-5.4', 'gpt-5.4-mini', 'best', 'gemini-3-pro-preview']

/** The seconds before now at which models are called, by two keys each. */
const history: readonly (readonly [second: number, models: readonly string[]])[] = [
  ...[540, 480, 420, 360, 300, 240].map((second) => [second, usual] as const),
  // Five failures open the circuit for 10 s, and each failed probe for twice as long: at the end for about 2 minutes.
  [200, ['claude-opus-5', 'claude-opus-5', 'claude-opus-5']],
  [185, ['claude-opus-5', ...usual]],
  [160, ['claude-opus-5']],
  [110, ['claude-opus-5', ...usual]],
  // It is half-open now.
  [20, ['glm-5', 'glm-5', 'glm-5', ...usual]],
  [10, ['claude-opus-5']],
  // `openai-spare` has a wrong credential.
  [5, ['gemini-3-flash-preview', 'gemini-3.1-flash-lite', 'qwen3-small', 'gpt-5.4-pro']],
]

/** The history, with calls each 5 s. */
function busy(): typeof history {
  const between = Array.from({ length: 120 }, (_, index) => {
    const second = 600 - index * 5
    const wave = Math.round(2 + 1.5 * Math.sin(index / 9) + (index % 3) / 2)
    return [
      second,
      Array.from({ length: wave }, (_, number) => usual[(index + number) % 4]!),
    ] as const
  })
  return [...history, ...between].toSorted(([one], [other]) => other - one)
}

/** The clients of the gateway. */
interface Clients {
  readonly call: SeededGateway['call']
  readonly chat: (key: string, model: string, more?: object, steer?: string) => Promise<Response>
  /** Reads a reply to its end, and resolves with the id of the call. */
  readonly done: (answer: Promise<Response>) => Promise<string>
}

function clientOf(url: string): Clients {
  const call: Clients['call'] = ({ key, path = '/v1/chat/completions', body, steer, signal }) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secretOf(`key-${key}`)}`,
        'content-type': 'application/json',
        ...(steer !== undefined && { 'x-sandbox': steer }),
      },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })
  return {
    call,
    chat: (key, model, more = {}, steer) =>
      call({ key, body: { model, messages, ...more }, ...(steer !== undefined && { steer }) }),
    async done(answer) {
      const response = await answer
      await response.text().catch(() => {})
      return response.headers.get('x-request-id') ?? ''
    },
  }
}

const messages = [{ role: 'user', content: 'Which of these papers is about routing?' }]

/** Calls that end in each way. */
async function makeCalls(
  { call, chat, done }: Clients,
  opening: AsyncDisposableStack,
): Promise<Seen> {
  const streamed = { stream: true }
  const stored = await call({
    key: 'search',
    path: '/v1/responses',
    body: { model: 'gpt-5.4', input: 'Find the three papers about routing.' },
  })
  const { id: responseId } = (await stored.json()) as { id: string }
  const video = await call({
    key: 'batch',
    path: '/v1/videos',
    body: { model: 'sora-2', prompt: 'A river delta from above', seconds: '4' },
  })
  const { id: jobId } = (await video.json()) as { id: string }
  const retriedId = await done(chat('search', 'gpt-5.4', streamed, 'status=503; only=openai-main'))
  const unservedId = await done(chat('search', 'gpt-5.4-pro'))
  // Translated, by an alias, refused by the provider, malformed, broken off, left by the client.
  await done(chat('chat', 'best', { ...streamed, seed: 7 }))
  await done(chat('chat', 'fast'))
  await done(chat('batch', 'gpt-5.4-mini', {}, 'status=400'))
  await done(chat('batch', 'gpt-5.4', { messages: 'none' }))
  await done(chat('chat', 'gpt-5.4-mini', streamed, 'cut=4'))
  const leaving = new AbortController()
  const left = await call({
    key: 'chat',
    body: { model: 'gpt-5.4-mini', messages, ...streamed },
    steer: 'words=200; pace=50',
    signal: leaving.signal,
  })
  await left.body?.getReader().read()
  leaving.abort()

  const flying = new AbortController()
  opening.defer(() => flying.abort())
  const stalled = await call({
    key: 'agents',
    body: { model: 'qwen3-coder', messages, ...streamed },
    steer: 'words=9; stall=4',
    signal: flying.signal,
  })
  const flyingId = stalled.headers.get('x-request-id') ?? ''
  // A reply that is not read would be collected, and its connection closed.
  void stalled.text().catch(() => {})
  return { responseId, jobId, retriedId, unservedId, flyingId }
}
