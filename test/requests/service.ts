import {
  type AccountRequest,
  type Answer,
  type FakeAccount,
  answerJson,
  startFakeAccount,
} from '../../src/testing/fake-account.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../src/testing/gateway.ts'
import { type DialectName, dialects } from './dialects.ts'

/** A gateway in front of one upstream that answers in all four dialects. */
export interface Service extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly upstream: FakeAccount
  /** Posts the smallest request of a dialect with these fields changed; `undefined` leaves one out. */
  ask(dialect: DialectName, fields?: object, options?: PostOptions): Promise<Response>
  /** Posts a body as it stands. */
  post(dialect: DialectName, body: RequestInit['body'], options?: PostOptions): Promise<Response>
  /** The last request that reached the upstream. */
  received(): AccountRequest
}

export interface PostOptions {
  /** Beside or instead of the dialect's own; `undefined` leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Instead of the dialect's own; may have a query. */
  readonly path?: string
  /** How long to wait for the answer's head; default 10 s. */
  readonly withinMs?: number
  /** For a client that leaves. */
  readonly signal?: AbortSignal
}

/** What the three accounts send upstream, for tests that look for it elsewhere. */
export const upstreamSecret = 'upstream-secret'

export async function startService(
  options: TestGatewayOptions = {},
  answer: Answer = answerAnything,
): Promise<Service> {
  await using starting = new AsyncDisposableStack()
  const upstream = starting.use(await startFakeAccount(answer))
  const accounts = accountsAt(upstream.url)
  const gateway = starting.use(await createTestGateway({ accounts, ...options }))
  const started = starting.move()

  const post: Service['post'] = (
    name,
    body,
    { headers = {}, path, withinMs = 10_000, signal: leaving } = {},
  ) => {
    const dialect = dialects[name]
    const all = { ...dialect.credential(gateway.key), ...headers }
    const given = Object.entries(all).filter((header): header is [string, string] => !!header[1])
    const deadline = AbortSignal.timeout(withinMs)
    const signal = leaving ? AbortSignal.any([deadline, leaving]) : deadline
    const shared = { method: 'POST', headers: Object.fromEntries(given), duplex: 'half', signal }
    return fetch(gateway.url + (path ?? dialect.path), { ...shared, body } as RequestInit)
  }

  return {
    gateway,
    upstream,
    post,
    ask: (name, fields = {}, postOptions = {}) =>
      post(name, JSON.stringify({ ...dialects[name].request, ...fields }), postOptions),
    received() {
      const last = upstream.requests.at(-1)
      if (!last) throw new Error('Nothing reached the upstream.')
      return last
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

type Accounts = NonNullable<TestGatewayOptions['accounts']>

/** An account of each provider, all of them at one upstream. */
export function accountsAt(url: string, models: Accounts[number]['models'] = ['m', '*']): Accounts {
  const shared = { apiKey: upstreamSecret, models }
  return [
    { id: 'openai', provider: 'openai', baseUrl: `${url}/v1`, ...shared },
    { id: 'anthropic', provider: 'anthropic', baseUrl: url, ...shared },
    { id: 'gemini', provider: 'gemini', baseUrl: url, ...shared },
  ]
}

/** Leaves only the accounts that speak a dialect, so that nobody else is asked after them. */
export function useOnly(dialect: DialectName, { gateway, upstream }: Service): void {
  const own = { responses: 'openai', chat: 'openai', messages: 'anthropic', generate: 'gemini' }
  gateway.reload({ accounts: accountsAt(upstream.url).filter(({ id }) => id === own[dialect]) })
}

/** The smallest reply of whichever dialect was asked. */
export const answerAnything: Answer = (response, request) =>
  answerJson(dialects[dialectOf(request.url)].reply)(response, request)

export function dialectOf(url: string): DialectName {
  if (url.startsWith('/v1/responses')) return 'responses'
  if (url.startsWith('/v1/chat/')) return 'chat'
  return url.startsWith('/v1/messages') ? 'messages' : 'generate'
}
