import OpenAI from 'openai-7'

import type { AccountSetting } from '../../../src/contract/account.ts'
import { startSandbox } from '../../../src/sandbox/index.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../../src/testing/gateway.ts'

/** An account on the sandbox, which makes videos as its model's name says. */
export type VideoAccount = Partial<AccountSetting> & { readonly id: string }

export interface VideoStage extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly sandbox: Awaited<ReturnType<typeof startSandbox>>
  readonly openai: OpenAI
  /** A bare request with the key. */
  ask(path: string, init?: RequestInit): Promise<Response>
}

type Options = Omit<TestGatewayOptions, 'accounts'> & { readonly accounts?: VideoAccount[] }

/** A gateway whose one account speaks the Videos API, unless a test says otherwise. */
export async function videoStage(given: Options = {}): Promise<VideoStage> {
  const { accounts = [{ id: 'a', speaks: ['videos'] }], ...options } = given
  const sandbox = await startSandbox()
  const gateway = await createTestGateway({
    ...options,
    accounts: accounts.map((account) => ({
      provider: 'sandbox',
      baseUrl: sandbox.url,
      apiKey: `sandbox-key-${account.id}`,
      models: ['*'],
      ...account,
    })),
  })
  return {
    gateway,
    sandbox,
    openai: clientOf(gateway),
    ask: (path, { headers, ...init } = {}) =>
      fetch(gateway.url + path, {
        ...init,
        headers: { authorization: `Bearer ${gateway.key}`, ...(headers as object) },
      }),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await sandbox[Symbol.asyncDispose]()
    },
  }
}

export function clientOf({ url }: TestGateway, apiKey = 'test-secret'): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 })
}

/** Asks until the job is over. */
export async function finished(openai: OpenAI, id: string): Promise<OpenAI.Videos.Video> {
  for (;;) {
    const video = await openai.videos.retrieve(id)
    if (video.status === 'completed' || video.status === 'failed') return video
  }
}

/** A JSON request of a client that is no SDK. */
export function post(body: object): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}
