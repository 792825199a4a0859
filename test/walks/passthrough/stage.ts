import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

import type {
  AccountConfig,
  PassthroughConfig,
} from '../../../src/configuration/config.generated.ts'
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

/** A gateway whose path `/v1/vector_stores/*` leads to an account. */
export interface PassthroughStage extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly account: FakeAccount
  /** Asks with the key of the test, or another one. */
  ask(path: string, init?: RequestInit & { readonly key?: string }): Promise<Response>
  /** Sends a request line as it is. Resolves with the whole answer. */
  raw(line: string, headers?: readonly string[]): Promise<string>
}

/** The key of the account, which no client may see. */
export const accountKey = 'canary-key-of-the-account'

type Options = TestGatewayOptions & {
  readonly account?: Partial<AccountConfig>
  readonly route?: Partial<PassthroughConfig>
}

/** Starts it. */
export async function passthroughStage(
  answer: Answer = answerJson({ id: 'vs_1' }),
  { account: own, route, ...options }: Options = {},
): Promise<PassthroughStage> {
  await using starting = new AsyncDisposableStack()
  const account = starting.use(await startFakeAccount(answer))
  const gateway = starting.use(
    await createTestGateway({
      accounts: [
        {
          id: 'a',
          provider: 'openai',
          baseUrl: own?.provider === 'anthropic' ? account.url : `${account.url}/v1`,
          apiKey: accountKey,
          models: ['*'],
          ...own,
        },
      ],
      passthrough: [{ path: '/v1/vector_stores/*', account: 'a', ...route }],
      ...options,
    }),
  )
  const started = starting.move()
  return {
    gateway,
    account,
    ask: (path, { key = gateway.key, headers, ...init } = {}) =>
      fetch(gateway.url + path, {
        ...init,
        headers: { authorization: `Bearer ${key}`, ...(headers as Record<string, string>) },
      }),
    raw(line, headers = []) {
      const { hostname, port } = new URL(gateway.url)
      const socket = connect(Number(port), hostname)
      const head = [
        line,
        `host: ${hostname}`,
        `authorization: Bearer ${gateway.key}`,
        'connection: close',
        ...headers,
      ]
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      return text(socket)
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}
