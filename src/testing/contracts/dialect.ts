import { deepEqual, equal, ok } from 'node:assert/strict'

import type { GatewayPlugin } from '../../contract/plugin.ts'
import { type Answer, answerJson, answerStream, startFakeAccount } from '../fake-account.ts'
import { type TestGateway, createTestGateway } from '../gateway.ts'
import type { ContractCheck } from './check.ts'

/** One operation of a dialect, with example requests and replies on the wire. */
export interface DialectSample {
  /** A provider whose accounts speak the dialect. */
  readonly provider: string
  /** The path of the operation, as in requests of an SDK. */
  readonly path: string
  /** The path of a streamed request, if it differs. */
  readonly streamPath?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Valid bodies; the model may have any name. */
  readonly request: object
  readonly streamRequest: object
  /** A complete reply, and the frames of a complete stream, which only the last frame completes. */
  readonly reply: object
  readonly frames: readonly string[]
}

/** The options of `dialectContract`. */
export interface DialectContractOptions {
  /** The plugin that adds the dialect. Default: none, for a shipped dialect. */
  readonly plugins?: readonly GatewayPlugin[]
  readonly sample: DialectSample
}

const accountSecret = 'secret-of-the-account'

/**
 * The contract of every dialect, checked over real sockets. With vitest:
 * `for (const check of dialectContract({ plugins: [mine()], sample })) test(check.name, check.run)`.
 */
export function dialectContract({ plugins = [], sample }: DialectContractOptions): ContractCheck[] {
  const { reply, frames } = sample
  const whole = frames.join('')

  const check = (name: string, answer: Answer, run: (served: Served) => Promise<void>) => ({
    name,
    async run() {
      await using served = await serve(sample, plugins, answer)
      await run(served)
    },
  })

  return [
    check('a reply passes as it is', answerJson(reply), async ({ ask }) => {
      const answer = await ask(false)
      deepEqual([answer.status, answer.text], [200, JSON.stringify(reply)])
    }),
    ...[1, 7, 64].map((size) =>
      check(
        `a stream passes as it is, cut into pieces of ${size}`,
        answerStream(pieces(whole, size)),
        async ({ ask }) => deepEqual(await ask(true), { status: 200, text: whole }),
      ),
    ),
    ...frames.map((_, length) =>
      check(
        `a stream that ends after ${length} of ${frames.length} frames is no success`,
        answerStream(frames.slice(0, length)),
        async ({ ask, gateway }) => {
          const { status } = await ask(true)
          const [line] = await gateway.logged(1)
          const isBroken = status >= 500 || line?.['stream_end'] === 'broken'
          ok(isBroken, 'the access log reports the broken stream')
        },
      ),
    ),
    check('a client without a key reaches no account', answerJson(reply), async (served) => {
      const { status } = await served.ask(false, { key: '' })
      deepEqual([status, served.upstreamCalls()], [401, 0])
    }),
    check('a body that is no object reaches no account', answerJson(reply), async (served) => {
      for (const body of ['[]', '7', '{"unfinished":']) {
        const { status, text } = await served.ask(false, { body })
        equal(status, 400)
        ok(JSON.parse(text), 'an error has a JSON body')
      }
      equal(served.upstreamCalls(), 0)
    }),
    ...[400, 500].map((status) =>
      check(
        `an account that answers ${status} is not shown by its error`,
        answerJson({ error: { message: `wrong: ${accountSecret}` } }, { status }),
        async ({ ask, origin }) => {
          const answer = await ask(false)
          equal(answer.status, status)
          ok(JSON.parse(answer.text), 'an error has a JSON body')
          for (const secret of [accountSecret, origin]) {
            ok(!answer.text.includes(secret), `the error shows ${secret}`)
          }
        },
      ),
    ),
  ]
}

interface Served extends AsyncDisposable {
  readonly gateway: TestGateway
  /** The account's address, which no reply may contain. */
  readonly origin: string
  upstreamCalls(): number
  ask(
    stream: boolean,
    overrides?: { key?: string; body?: string },
  ): Promise<{ status: number; text: string }>
}

async function serve(
  { provider, path, streamPath = path, headers, request, streamRequest }: DialectSample,
  plugins: readonly GatewayPlugin[],
  answer: Answer,
): Promise<Served> {
  const account = await startFakeAccount(answer)
  const gateway = await createTestGateway({
    plugins: [...plugins],
    accounts: [
      // The account accepts any path, with or without a version.
      { id: 'a', provider, baseUrl: account.url, apiKey: accountSecret, models: ['*'] },
    ],
  })
  return {
    gateway,
    origin: account.url.replace('http://', ''),
    upstreamCalls: () => account.requests.length,
    async ask(stream, { key = gateway.key, body } = {}) {
      const response = await fetch(gateway.url + (stream ? streamPath : path), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers, authorization: `Bearer ${key}` },
        body: body ?? JSON.stringify(stream ? streamRequest : request),
      })
      // The gateway may end a broken stream by a reset.
      const text = await response.text().catch(() => '')
      return { status: response.status, text }
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await account[Symbol.asyncDispose]()
    },
  }
}

function pieces(text: string, size: number): Buffer[] {
  const bytes = Buffer.from(text)
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
}
