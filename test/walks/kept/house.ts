import OpenAI from 'openai-7'

import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../../src/testing/gateway.ts'
import type { refusal } from '../chaining/asking.ts'

type Account = NonNullable<TestGatewayOptions['accounts']>[number]
type Models = Account['models']

const ids = ['gpt', 'other', 'claude'] as const
type Id = (typeof ids)[number]

/** What the sandbox knows an account by. */
function known(id: Id) {
  return { id, apiKey: `sandbox-key-${id}` }
}

/** Keys, and the models that they allow. */
const keys = {
  all: undefined,
  name: ['claude-words=4'],
  pattern: ['claude-*'],
  other: ['other-*'],
  alias: ['mine'],
} as const
type Key = keyof typeof keys

/** The models of the accounts that speak Responses, told by pattern and by name. */
export const natives = {
  patterns: [{ 'gpt-*': 'sandbox/*' }, { 'other-*': 'sandbox/*' }],
  names: [{ 'gpt-whoami': 'sandbox/whoami' }, { 'other-whoami': 'sandbox/whoami' }],
} as const satisfies Record<string, readonly [Models, Models]>

/** Two accounts that speak Responses, and one that does not, before clients of several keys. */
export interface House extends AsyncDisposable {
  readonly gateway: TestGateway
  asked(account: Id): Sandbox['requests']
  /** From now on the accounts are as at first, but for these changes. */
  change(changes: { readonly [id in Id]?: Partial<Account> }): void
}

export async function startHouse(given: { models: readonly [Models, Models] }): Promise<House> {
  await using starting = new AsyncDisposableStack()
  const accountsThere = ids.map((id) => ({ id, key: known(id).apiKey }))
  const sandbox = starting.use(await startSandbox({ accounts: accountsThere }))
  const [gpt, other] = given.models
  const shared = { provider: 'sandbox', baseUrl: sandbox.url }
  const accounts: Account[] = [
    { ...shared, ...known('gpt'), models: gpt, speaks: ['responses'] },
    { ...shared, ...known('other'), models: other, speaks: ['responses'], priority: 1 },
    { ...shared, ...known('claude'), models: { 'claude-*': 'sandbox/*' }, speaks: ['messages'] },
  ]
  const aliases = { mine: 'other-whoami' }
  const gateway = starting.use(
    await createTestGateway({
      accounts,
      aliases,
      keys: Object.entries(keys).map(([id, models]) => ({
        id,
        secret: `secret-${id}`,
        ...(models && { models: [...models] }),
      })),
    }),
  )
  const started = starting.move()
  return {
    gateway,
    asked: (account) => sandbox.requests.filter((request) => request.account === account),
    change: (changes) =>
      gateway.reload({
        accounts: accounts.map((account) => ({ ...account, ...changes[account.id as Id] })),
        aliases,
      }),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

/** A client with one of the keys. */
export function connectAs({ gateway }: House, key: Key): OpenAI {
  return new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: `secret-${key}`, maxRetries: 0 })
}

export const sdk = { OpenAI } as Parameters<typeof refusal>[0]
