import {
  type Answer,
  answerJson,
  answerStream,
  createTestGateway,
  type FakeAccount,
  startFakeAccount,
  type TestGateway,
  type TestGatewayOptions,
} from '../../src/testing/index.ts'

/** A gateway before one chat account, with a plugin under test. */
export interface Scene extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly account: FakeAccount
}

export const reply = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
}

export const textFrame = chunk({ content: 'hello' }, null)
export const lastFrame = 'data: [DONE]\n\n'
export const frames = [
  chunk({ role: 'assistant' }, null),
  textFrame,
  chunk({}, 'stop'),
  `data: ${JSON.stringify({ id: 'chatcmpl-1', choices: [], usage: reply.usage })}\n\n`,
  lastFrame,
]

/** A whole answer, streamed or not, as the request asks. */
export const answerChat: Answer = (response, request) =>
  request.body.includes('"stream":true')
    ? answerStream(frames)(response, request)
    : answerJson(reply)(response, request)

export async function stage(
  options: Omit<TestGatewayOptions, 'accounts'>,
  answer: Answer = answerChat,
): Promise<Scene> {
  const account = await startFakeAccount(answer)
  const gateway = await createTestGateway({
    ...options,
    accounts: [accountAt('only', account.url)],
  })
  return {
    gateway,
    account,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await account[Symbol.asyncDispose]()
    },
  }
}

type AccountSettings = NonNullable<TestGatewayOptions['accounts']>[number]

export function accountAt(
  id: string,
  url: string,
  settings: Partial<AccountSettings> = {},
): AccountSettings {
  const baseUrl = `${url}/v1`
  return { id, provider: 'openai', baseUrl, apiKey: `key-of-${id}`, models: ['*'], ...settings }
}

export interface Asking {
  /** Further fields of the body. */
  readonly fields?: object
  /** `undefined` leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly key?: string
  readonly signal?: AbortSignal
}

export function askChat(
  { url, key }: Pick<TestGateway, 'url' | 'key'>,
  { fields = {}, headers = {}, signal, ...options }: Asking = {},
): Promise<Response> {
  const all = { authorization: `Bearer ${options.key ?? key}`, ...headers }
  const given = Object.entries(all).filter((header): header is [string, string] => !!header[1])
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...Object.fromEntries(given) },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...fields }),
    ...(signal && { signal }),
  })
}

/** Reads until the text holds this; what follows stays unread. */
export async function readUpTo(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  expected: string,
): Promise<string> {
  let text = ''
  while (!text.includes(expected)) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`The reply ended without ${expected}: ${text}`)
    text += Buffer.from(value).toString()
  }
  return text
}

function chunk(delta: object, finishReason: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }]
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`
}
