import {
  type AccountRequest,
  type Answer,
  answerJson,
  startFakeAccount,
} from '../../../src/testing/fake-account.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../../src/testing/gateway.ts'

/** A client that has a response and a conversation, and the account that has made them. */
export interface Owner extends AsyncDisposable {
  readonly gateway: TestGateway
  /** What the account answers from now on. */
  script: Answer
  /** What the account has been asked since. */
  readonly requests: readonly AccountRequest[]
  ask(method: string, path: string, body?: string): Promise<Response>
}

export interface OwnerOptions extends Omit<TestGatewayOptions, 'accounts'> {
  /** What both of them are called. */
  readonly id?: string
}

/** An answer whose bytes would not survive being read and written again. */
export const exactly = '{ "object":"list" ,"data":[ ], "big":123456789012345678901234567890 }'

export async function startOwner({ id = 'x1', ...options }: OwnerOptions = {}): Promise<Owner> {
  await using starting = new AsyncDisposableStack()
  const account = starting.use(
    await startFakeAccount((response, request) => owner.script(response, request)),
  )
  const settings = { id: 'a', provider: 'openai', baseUrl: `${account.url}/v1`, models: ['*'] }
  const gateway = starting.use(await createTestGateway({ ...options, accounts: [settings] }))
  const started = starting.move()
  let before = 0
  const owner: Owner = {
    gateway,
    script: answerJson({ id, object: 'response', status: 'completed', output: [] }),
    get requests() {
      return account.requests.slice(before)
    },
    ask: (method, path, body) =>
      fetch(gateway.url + path, {
        method,
        headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body }),
      }),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
  for (const [path, body] of [
    ['/v1/responses', '{"model":"m","input":"hi"}'],
    ['/v1/conversations', ''],
  ] as const) {
    await (await owner.ask('POST', path, body)).text()
  }
  before = account.requests.length
  owner.script = answerJson(exactly)
  return owner
}

/** Asks for work on an input; `undefined` leaves a field out. */
export async function post(owner: Owner, path: string, fields: object) {
  const body = JSON.stringify({ model: 'm', input: 'hi', ...fields })
  const response = await owner.ask('POST', path, body)
  return { status: response.status, body: (await response.json()) as unknown }
}

/** What is posted where, and what an account answers. */
export const replies: Record<string, object> = {
  '/v1/responses': { id: 'resp_2', object: 'response', status: 'completed', output: [] },
  '/v1/responses/input_tokens': { object: 'response.input_tokens', input_tokens: 3 },
  '/v1/responses/compact': {
    id: 'resp_3',
    object: 'response.compaction',
    created_at: 1,
    output: [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'e' }],
    usage: { input_tokens: 5, output_tokens: 2, total_tokens: 7 },
  },
}
