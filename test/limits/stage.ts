import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../src/testing/gateway.ts'
import { until } from '../../src/testing/until.ts'

/** A gateway with one key `a`, its team `red`, and the sandbox behind it. */
export interface LimitStage extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly sandbox: Sandbox
  /** Sends a request to the API. */
  send(path: string, body: object | string | undefined, headers?: object): Promise<Response>
  /** Calls a model by chat. Resolves with the whole reply. */
  chat(model: string, more?: object): Promise<Answer>
  /** The limits of the key, as it reads them itself. */
  limits(): Promise<readonly ShownLimit[]>
  /** Resolves with the limits once nothing is held. */
  settled(): Promise<readonly ShownLimit[]>
}

/** A reply of the gateway. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly error: {
    readonly message: string
    readonly details: readonly Readonly<Record<string, unknown>>[]
  }
}

/** See `docs/limits.md`. */
export interface ShownLimit {
  readonly subject: string
  readonly kind: string
  readonly amount: number | string
  readonly spent: number | string
  readonly held: number | string
  readonly remaining: number | string
  readonly resetsAt: string | null
}

/** The quotas of the subjects of a stage, and other settings. */
export interface StageOptions extends Omit<TestGatewayOptions, 'quotas' | 'teams' | 'keys'> {
  readonly key?: readonly object[]
  readonly team?: readonly object[]
  readonly all?: readonly object[]
  readonly account?: readonly object[]
  /** Further models of the account. */
  readonly models?: readonly string[]
}

/** The secret of the key. */
export const secret = 'limits-secret-of-the-key-a-0123456789'

/** Starts a stage. The models of the sandbox cost a dollar for a million tokens. */
export async function limitStage(options: StageOptions = {}): Promise<LimitStage> {
  const { key = [], team = [], all = [], account = [], models = [], ...more } = options
  await using starting = new AsyncDisposableStack()
  const sandbox = starting.use(await startSandbox())
  const rates = { input: '1', output: '1' }
  const gateway = starting.use(
    await createTestGateway({
      keys: [{ id: 'a', secret, team: 'red', quotas: key as never }],
      teams: [{ id: 'red', quotas: team as never }],
      quotas: all as never,
      accounts: [
        {
          id: 'one',
          provider: 'sandbox',
          baseUrl: sandbox.url,
          apiKey: 'sandbox-key-a',
          models: ['sandbox/*', ...models],
          prices: Object.fromEntries(
            ['sandbox/echo', 'sandbox/words=50+pace=20', 'sandbox/status=400', 'sandbox/cut=4'].map(
              (name) => [name, { rates }],
            ),
          ),
          quotas: account as never,
        },
      ],
      ...more,
    }),
  )
  const started = starting.move()
  const send = (path: string, body: object | string | undefined, headers: object = {}) =>
    fetch(`${gateway.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  const limits = async () => {
    const shown = (await (await send('/dragoman/key', undefined)).json()) as {
      limits: readonly ShownLimit[]
    }
    return shown.limits
  }
  return {
    gateway,
    sandbox,
    send,
    async chat(model, body = {}) {
      const messages = [{ role: 'user', content: 'Hello there' }]
      const response = await send('/v1/chat/completions', { model, messages, ...body })
      const text = await response.text()
      const { error = {} } = (text.startsWith('{') ? JSON.parse(text) : {}) as Partial<Answer>
      const { status, headers } = response
      return { status, headers, text, error: error as Answer['error'] }
    },
    limits,
    async settled() {
      let last: readonly ShownLimit[] = []
      await until(async () => {
        last = await limits()
        return last.every(({ held }) => Number(held) === 0)
      })
      return last
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}
