import OpenAI from 'openai-7'

import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../../src/testing/gateway.ts'
import type { Foreign } from './stage.ts'

/** Gateways of one's own making before the accounts `a` and `b`, of which `a` is asked first. */
export interface Fleet extends AsyncDisposable {
  readonly sandbox: Sandbox
  readonly gateways: readonly TestGateway[]
  /** The newest SDK at each of them; it never tries again by itself. */
  readonly clients: readonly OpenAI[]
  /** The first of them. */
  readonly client: OpenAI
}

export interface FleetOptions extends Omit<TestGatewayOptions, 'accounts'> {
  /** How many gateways there are; one where absent. */
  readonly replicas?: number
}

export async function startFleet(
  speaks: Foreign | 'responses',
  { replicas = 1, ...options }: FleetOptions = {},
): Promise<Fleet> {
  await using starting = new AsyncDisposableStack()
  const sandbox = starting.use(await startSandbox())
  const accounts = ['a', 'b'].map((id, priority) => ({
    id,
    provider: 'sandbox',
    baseUrl: sandbox.url,
    apiKey: `sandbox-key-${id}`,
    speaks: [speaks],
    models: ['*'],
    priority,
  }))
  const gateways: TestGateway[] = []
  for (let replica = 0; replica < replicas; replica++) {
    gateways.push(starting.use(await createTestGateway({ ...options, accounts })))
  }
  const clients = gateways.map(
    ({ url, key }) => new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 }),
  )
  const started = starting.move()
  return {
    sandbox,
    gateways,
    clients,
    client: clients[0] as OpenAI,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

/** How many writes wait for the store, as operators see it. */
export async function waiting({ url }: Pick<TestGateway, 'url'>): Promise<unknown> {
  const response = await fetch(`${url}/readyz?verbose`)
  const { bindings } = (await response.json()) as { bindings?: { waiting?: number } }
  return bindings?.waiting
}
