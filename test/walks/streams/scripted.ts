import type { ServerResponse } from 'node:http'

import {
  type Answer,
  type FakeAccount,
  startFakeAccount,
} from '../../../src/testing/fake-account.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../../src/testing/gateway.ts'
import type { Form } from './forms.ts'

export type AccountSettings = NonNullable<TestGatewayOptions['accounts']>[number]

/** An account of the provider whose dialect the form is. */
export function accountFor(
  { provider }: Form,
  id: string,
  url: string,
  settings: Partial<AccountSettings> = {},
): AccountSettings {
  const baseUrl = provider === 'openai' ? `${url}/v1` : url
  return { id, provider, baseUrl, apiKey: `key-of-${id}`, models: ['*'], ...settings }
}

export interface Stage extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly account: FakeAccount
}

/** A gateway before one account that follows a script. */
export async function stage(
  form: Form,
  script: Answer,
  options: Omit<TestGatewayOptions, 'accounts'> = {},
): Promise<Stage> {
  const account = await startFakeAccount(script)
  const gateway = await createTestGateway({
    ...options,
    accounts: [accountFor(form, 'only', account.url)],
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

/** Begins an event stream with these frames. */
export function openStream(response: ServerResponse, frames: readonly string[] = []): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  response.flushHeaders()
  if (frames.length > 0) response.write(frames.join(''))
}

/** Drops the connection in the middle of the body, after what has been written. */
export function cut(response: ServerResponse): void {
  // What was written in this turn reaches the socket at its end.
  setImmediate(() => response.socket?.destroySoon())
}

/** A point in a script that the test lets it pass. */
export interface Gate {
  readonly opened: Promise<void>
  open(): void
}

export function createGate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}
