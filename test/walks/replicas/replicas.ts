import OpenAI from 'openai-7'

import { startSandbox } from '../../../src/sandbox/index.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../../src/testing/gateway.ts'

/** Two gateways that share a store, before the same two accounts of a sandbox. */
export interface Replicas extends AsyncDisposable {
  readonly gateways: readonly [TestGateway, TestGateway]
  /** The official SDK at each of them; it never tries again by itself. */
  readonly clients: readonly [OpenAI, OpenAI]
}

export async function startReplicas(
  options: Omit<TestGatewayOptions, 'accounts'> = {},
): Promise<Replicas> {
  await using started = new AsyncDisposableStack()
  const sandbox = started.use(await startSandbox())
  const accounts = ['a', 'b'].map((id) => ({
    id,
    provider: 'sandbox',
    baseUrl: sandbox.url,
    apiKey: `sandbox-key-${id}`,
    models: ['*'],
  }))
  const one = started.use(await createTestGateway({ ...options, accounts }))
  const two = started.use(await createTestGateway({ ...options, accounts }))
  const owned = started.move()
  return {
    gateways: [one, two],
    clients: [connect(one), connect(two)],
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

export function connect({ url, key }: TestGateway): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
}
