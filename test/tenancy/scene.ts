import { openMemoryStore } from '../../src/stores/memory.ts'
import { type BreakableStore, breakable } from '../../src/testing/breakable-store.ts'
import {
  type AccountRequest,
  type Answer,
  answerJson,
  startFakeAccount,
} from '../../src/testing/fake-account.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../src/testing/gateway.ts'

/** Two keys that share two accounts. */
export interface Scene extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly store: BreakableStore
  /** What both accounts answer from now on. */
  answer: Answer
  /** The requests of both accounts, each with the account's id. */
  readonly requests: readonly (AccountRequest & { readonly account: string })[]
  /** Makes a request with the key `one`, `two`, or one that `owner` names. */
  ask(key: string, path: string, body?: object | string, method?: string): Promise<Reply>
}

export interface Reply {
  readonly status: number
  readonly text: string
  readonly json: { readonly error?: { message: string; param?: string | null }; id?: string }
}

type Accounts = NonNullable<TestGatewayOptions['accounts']>

/** `changes` are those of the accounts `a` and `b`; an account without changes is left out. */
export async function startScene(
  options: Omit<TestGatewayOptions, 'accounts'> = {},
  changes: Readonly<Record<string, Partial<Accounts[number]>>> = { a: {} },
): Promise<Scene> {
  await using starting = new AsyncDisposableStack()
  const requests: (AccountRequest & { account: string })[] = []
  const accounts: Accounts[number][] = []
  for (const [id, changed] of Object.entries(changes)) {
    const account = starting.use(
      await startFakeAccount((response, request) => {
        requests.push(Object.assign(request, { account: id }))
        return scene.answer(response, request)
      }),
    )
    const settings = { id, provider: 'openai', baseUrl: `${account.url}/v1`, models: ['m'] }
    accounts.push({ ...settings, ...changed })
  }
  const store = breakable(openMemoryStore())
  const gateway = starting.use(
    await createTestGateway({
      store,
      ...options,
      accounts,
      keys: ['one', 'two'].map((id) => ({ id, secret: `secret-${id}` })),
    }),
  )
  const started = starting.move()
  const scene: Scene = {
    gateway,
    store,
    requests,
    answer: answerJson({ id: 'resp_1', object: 'response', status: 'completed', output: [] }),
    async ask(key, path, body, method = body === undefined ? 'GET' : 'POST') {
      const response = await fetch(gateway.url + path, {
        method,
        headers: {
          authorization: `Bearer secret-${key}`,
          'content-type': 'application/json',
          'anthropic-version': '2023-06-01',
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, text, json: parse(text) }
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
  return scene
}

function parse(text: string): Reply['json'] {
  try {
    return JSON.parse(text) as Reply['json']
  } catch {
    return {}
  }
}

/** An event stream of these events. */
export function streamOf(...events: readonly object[]): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events) {
      const { type = 'message' } = event as { type?: string }
      response.write(`event: ${type}\ndata: ${JSON.stringify(event)}\n\n`)
    }
    response.end()
  }
}
