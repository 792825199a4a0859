import { deepEqual, equal, ok } from 'node:assert/strict'

import type { GatewayPlugin } from '../../contract/plugin.ts'
import { type Answer, answerJson, answerStream, startFakeAccount } from '../fake-account.ts'
import { type TestGateway, createTestGateway } from '../gateway.ts'
import type { ContractCheck } from './check.ts'

/** One operation of a dialect, as its clients and its accounts have it on the wire. */
export interface DialectSample {
  /** A provider whose accounts speak the dialect. */
  readonly provider: string
  /** The path of the operation, as an SDK asks for it. */
  readonly path: string
  /** Where it differs for a stream. */
  readonly streamPath?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Valid bodies; the model may have any name. */
  readonly request: object
  readonly streamRequest: object
  /** A whole reply, and a whole stream in frames, of which only the last completes it. */
  readonly reply: object
  readonly frames: readonly string[]
}

export interface DialectContractOptions {
  /** The plugin that adds the dialect; none for one that is shipped. */
  readonly plugins?: readonly GatewayPlugin[]
  readonly sample: DialectSample
}

const accountSecret = 'secret-of-the-account'

/**
 * What every dialect keeps, checked over real sockets. With vitest:
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
          ok(isBroken, 'the log of a stream that broke has to say so')
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
  /** The account's own address, which no client may see. */
  readonly origin: string
  upstreamCalls(): number
  ask(
    stream: boolean,
    instead?: { key?: string; body?: string },
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
      // It answers at any path, with a version or without.
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
      // A reset is one way to say that a stream broke.
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
