import { connect, type Socket } from 'node:net'

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
import { until } from '../../../src/testing/until.ts'
import { formsPath, formsPlugin } from './form-dialect.ts'

export const boundary = 'walk-boundary'

export interface FormService extends AsyncDisposable {
  readonly gateway: TestGateway
  /** The accounts `one`, `two`, ... in the order in which they are asked. */
  readonly accounts: readonly FakeAccount[]
  send(body: RequestInit['body'], options?: SendOptions): Promise<Response>
  /** Resolves when nothing is in the spool and no exchange is under way. */
  isClear(): Promise<void>
}

export interface SendOptions {
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
}

export const answerOk: Answer = answerJson({ id: 'ok' })

/** A gateway with the dialect of forms, in front of an account for each of these answers. */
export async function startForms(
  answers: readonly Answer[] = [answerOk],
  options: TestGatewayOptions = {},
): Promise<FormService> {
  await using starting = new AsyncDisposableStack()
  const accounts: FakeAccount[] = []
  for (const answer of answers) accounts.push(starting.use(await startFakeAccount(answer)))
  const gateway = starting.use(
    await createTestGateway({
      accounts: accounts.map(({ url }, index) => ({
        id: ['one', 'two', 'three'][index] ?? '',
        provider: 'forms',
        baseUrl: `${url}/v1`,
        apiKey: 'account-key',
        models: { m: 'm', theirs: 'name-at-the-account' },
        priority: index,
      })),
      ...options,
      plugins: [formsPlugin(), ...(options.plugins ?? [])],
    }),
  )
  const started = starting.move()
  return {
    gateway,
    accounts,
    send: (body = null, { headers = {}, signal = AbortSignal.timeout(20_000) } = {}) =>
      fetch(gateway.url + formsPath, {
        method: 'POST',
        body,
        headers: {
          authorization: `Bearer ${gateway.key}`,
          'content-type': `multipart/form-data; boundary=${boundary}`,
          ...headers,
        },
        signal,
      }),
    isClear: () => until(() => gateway.gateway.spooled() === 0 && gateway.gateway.inflight() === 0),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

/** A form with one file, and the model after it. */
export function uploadOf(file: Buffer, model = 'm') {
  const image = 'Content-Disposition: form-data; name="image"; filename="a.png"'
  const type = 'Content-Type: image/png'
  const name = 'Content-Disposition: form-data; name="model"'
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\n${image}\r\n${type}\r\n\r\n`),
    file,
    Buffer.from(`\r\n--${boundary}\r\n${name}\r\n\r\n${model}\r\n--${boundary}--\r\n`),
  ])
}

/** A connection on which an upload has begun; `answer` is what has come back. */
export function beginUpload({ url, key }: Pick<TestGateway, 'url' | 'key'>, length: number) {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect(Number(port), hostname)
  const begun = { socket, answer: '' }
  socket.on('data', (chunk: Buffer) => (begun.answer += chunk.toString()))
  socket.on('error', () => {})
  socket.write(
    `POST ${formsPath} HTTP/1.1\r\nhost: g\r\nauthorization: Bearer ${key}\r\n` +
      `content-type: multipart/form-data; boundary=${boundary}\r\ncontent-length: ${length}\r\n\r\n`,
  )
  return begun
}
