import { formatFrame } from '../../../src/index.ts'
import {
  type Answer,
  answerJson,
  answerStream,
  createTestGateway,
  type FakeAccount,
  startFakeAccount,
  type TestGateway,
  type TestGatewayOptions,
} from '../../../src/testing/index.ts'
import { shout } from './index.ts'

export const reply = {
  id: 'shout_1',
  voice: 'stentor',
  echo: 'HEAR ME',
  tally: { heard: 2, said: 2 },
}

export const breath = formatFrame('breath', { id: 'shout_1' })
export const words = ['HEAR', 'ME'].map((word) => formatFrame('word', { word }))
export const hush = formatFrame('hush', { id: 'shout_1', voice: 'stentor', tally: reply.tally })
export const whole = [breath, ...words, hush]

/** A whole answer, loud or not, as the request asks. */
export const answerShout: Answer = (response, request) =>
  request.body.includes('"loud":true')
    ? answerStream(whole)(response, request)
    : answerJson(reply)(response, request)

type AccountSettings = NonNullable<TestGatewayOptions['accounts']>[number]

export function accountAt(
  id: string,
  baseUrl: string,
  settings: Partial<AccountSettings> = {},
): AccountSettings {
  return { id, provider: 'megaphone', baseUrl, apiKey: `key-of-${id}`, models: ['*'], ...settings }
}

export interface Scene extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly accounts: readonly FakeAccount[]
}

/** A gateway that speaks the dialect, before accounts called `first`, `second`, ... in this order. */
export async function stage(
  answers: readonly Answer[] = [answerShout],
  settings: Partial<AccountSettings> = {},
  options: Omit<TestGatewayOptions, 'accounts'> = {},
): Promise<Scene> {
  const accounts = await Promise.all(answers.map((answer) => startFakeAccount(answer)))
  const gateway = await createTestGateway({
    ...options,
    plugins: [shout(), ...(options.plugins ?? [])],
    accounts: accounts.map(({ url }, priority) =>
      accountAt(['first', 'second'][priority] ?? 'further', url, { priority, ...settings }),
    ),
  })
  return {
    gateway,
    accounts,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      for (const account of accounts) await account[Symbol.asyncDispose]()
    },
  }
}

export interface Speaking {
  readonly path?: string
  /** Further fields of the body. */
  readonly fields?: object
  /** Instead of the dialect's own credential. */
  readonly headers?: Readonly<Record<string, string>>
}

export function speak(
  { url, key }: Pick<TestGateway, 'url' | 'key'>,
  { path = '/shout/v1/say', fields = {}, headers = { 'x-megaphone': key } }: Speaking = {},
): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ voice: 'stentor', words: 'hear me', ...fields }),
  })
}

export const loud = { fields: { loud: true } }
