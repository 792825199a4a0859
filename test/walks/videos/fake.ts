import {
  type AccountRequest,
  type Answer,
  type FakeAccount,
  answerJson,
  startFakeAccount,
} from '../../../src/testing/fake-account.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../../src/testing/gateway.ts'

/** The secret of every account here. */
export const accountSecret = 'sk-account-secret-1234'

export interface FakeStage extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly account: FakeAccount
  /** A bare request with the key. */
  ask(path: string, init?: RequestInit): Promise<Response>
}

type Options = Omit<TestGatewayOptions, 'accounts'> & {
  readonly provider?: 'openai' | 'gemini'
  /** All of them where absent. */
  readonly models?: string[]
  readonly answer: Answer
}

/** A gateway whose one account answers whatever a test wants, on either video dialect. */
export async function fakeStage(given: Options): Promise<FakeStage> {
  const { provider = 'openai', models = ['*'], answer, ...options } = given
  const account = await startFakeAccount(answer)
  const baseUrl = provider === 'openai' ? `${account.url}/v1` : account.url
  const speaks = [provider === 'openai' ? 'videos' : 'video-operations']
  const gateway = await createTestGateway({
    ...options,
    accounts: [{ id: 'a', provider, baseUrl, apiKey: accountSecret, models, speaks }],
  })
  return {
    gateway,
    account,
    ask: (path, { headers, ...init } = {}) =>
      fetch(gateway.url + path, {
        ...init,
        headers: { authorization: `Bearer ${gateway.key}`, ...(headers as object) },
      }),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await account[Symbol.asyncDispose]()
    },
  }
}

/** An account of the Videos API: it takes every job, and tells of it what a test wants. */
export function takesVideos(state: (request: AccountRequest) => object): Answer {
  return (response, request) => {
    const taken = { id: 'vid_1', object: 'video', status: 'queued', progress: 0 }
    const told = request.method === 'POST' ? taken : { ...taken, ...state(request) }
    return answerJson(told)(response, request)
  }
}

/** An account of video operations, of the same kind. */
export function takesOperations(state: (request: AccountRequest) => object): Answer {
  return (response, request) => {
    const taken = { name: 'models/m/operations/1' }
    const told = request.method === 'POST' ? taken : { ...taken, ...state(request) }
    return answerJson(told)(response, request)
  }
}

/** The JSON of the last request that ordered something. */
export function ordered({ account }: FakeStage): Record<string, unknown> {
  const order = account.requests.findLast(({ method }) => method === 'POST')
  return JSON.parse(order?.body.toString() ?? '') as Record<string, unknown>
}
