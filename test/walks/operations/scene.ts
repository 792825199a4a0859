import {
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

/** What an account tells of a video of its operation. */
export interface ToldVideo {
  readonly uri?: string
  readonly encodedVideo?: string
  readonly encoding?: string
}

export interface SceneOptions extends Omit<TestGatewayOptions, 'accounts'> {
  /** Of the account's one operation, which is done. */
  readonly videos?: readonly ToldVideo[] | ((account: string) => readonly ToldVideo[])
  /** How the account tells of it. Absent: it has made these videos. */
  readonly operation?: Answer
  /** How the account sends a file, and whatever else it is asked for. */
  readonly file?: Answer
}

export interface Scene extends AsyncDisposable {
  readonly account: FakeAccount
  readonly gateway: TestGateway
  /** Of the operation, as clients of Google's SDKs in enterprise mode ask for it. */
  poll(headers?: Record<string, string>): Promise<Response>
  /** Of the first video, as clients of the Videos API download it. */
  download(init?: { method?: string; headers?: Record<string, string> }): Promise<Response>
}

/** A gateway whose one account has made an operation and tells what a test wants. */
export async function operationScene(given: SceneOptions): Promise<Scene> {
  const { videos = [], operation, file, ...options } = given
  await using starting = new AsyncDisposableStack()
  const account: FakeAccount = starting.use(
    await startFakeAccount((response, request) => {
      if (request.method === 'POST') return answerJson({ name })(response, request)
      if (!request.url.includes('/operations/')) return file?.(response, request)
      if (operation) return operation(response, request)
      const told = typeof videos === 'function' ? videos(account.url) : videos
      const generatedSamples = told.map((video) => ({ video }))
      const result = { generateVideoResponse: { generatedSamples } }
      return answerJson({ name, done: true, response: result })(response, request)
    }),
  )
  const gateway = starting.use(
    await createTestGateway({
      ...options,
      accounts: [
        {
          id: 'a',
          provider: 'gemini',
          baseUrl: account.url,
          apiKey: 'the-secret',
          models: ['*'],
          speaks: ['video-operations'],
        },
      ],
    }),
  )
  const ask = (path: string, { headers, body, method }: RequestInit = {}) =>
    fetch(gateway.url + path, {
      method: method ?? (body ? 'POST' : 'GET'),
      headers: { authorization: `Bearer ${gateway.key}`, ...(headers as object) },
      ...(body && { body }),
    })
  const json = { 'content-type': 'application/json' }
  const created = await ask('/v1beta/models/m:predictLongRunning', {
    headers: json,
    body: JSON.stringify({ instances: [{ prompt: 'a cat' }] }),
  })
  const { name: operationName } = (await created.json()) as { name: string }
  const [place, id] = operationName.split('/operations/')
  const started = starting.move()
  return {
    account,
    gateway,
    poll: (headers) =>
      ask(`/v1beta1/${place}:fetchPredictOperation`, {
        headers: { ...json, ...headers },
        body: JSON.stringify({ operationName }),
      }),
    download: (init = {}) => ask(`/v1/videos/video_${id}/content`, init),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

const name = 'models/m/operations/1'
