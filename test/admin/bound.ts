import { startSandbox } from '../../src/sandbox/index.ts'
import type { Store } from '../../src/stores/store.ts'
import { type AdminGateway, startAdminGateway } from './admin-gateway.ts'
import { bearerOf, twoKeys } from './listing.ts'

/** An error of the Responses API. */
export interface Failed {
  readonly error?: {
    readonly code: string | number
    readonly message: string
    readonly details?: { readonly code: string }[]
  } | null
}

/** A gateway whose account `native` stores its responses; for those of `chat` the gateway does. */
export async function startBound(store: Store, now: () => number = Date.now) {
  const sandbox = await startSandbox()
  const account = { provider: 'sandbox', baseUrl: sandbox.url } as const
  const gateway = await startAdminGateway({
    store,
    keys: twoKeys,
    now,
    accounts: [
      {
        ...account,
        id: 'native',
        apiKey: 'sandbox-key-a',
        models: ['sandbox/whoami'],
        speaks: ['responses'],
      },
      {
        ...account,
        id: 'chat',
        apiKey: 'sandbox-key-b',
        models: ['sandbox/words=3'],
        speaks: ['chat'],
      },
    ],
  })
  return {
    ...gateway,
    sandbox,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await sandbox[Symbol.asyncDispose]()
    },
  }
}

/** Asks for a response as the holder of a key. */
export async function respond({ url }: AdminGateway, key: string, model: string, more = {}) {
  const response = await fetch(`${url}/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...bearerOf(key) },
    body: JSON.stringify({ model, input: 'content-canary', ...more }),
  })
  const body = (await response.json()) as { id: string } & Failed
  return { ...body, status: response.status }
}
