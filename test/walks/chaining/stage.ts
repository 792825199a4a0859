import { openMemoryStore } from '../../../src/stores/memory.ts'
import { type BreakableStore, breakable } from '../../../src/testing/breakable-store.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../../src/testing/gateway.ts'
import type { Ground, OpenedStore } from './grounds.ts'

type AccountSettings = NonNullable<TestGatewayOptions['accounts']>[number]

/** What a test changes about accounts `a` and `b`; `undefined` takes one away. */
export type Changes = { readonly [id in 'a' | 'b']?: Partial<AccountSettings> | undefined }

export interface Stage extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly sandbox: Sandbox
  readonly broken: BreakableStore['broken']
  /** The gateway's clock. */
  now: number
  /** From now on the accounts are as at first, but for these changes. */
  configure(changes: Changes): void
  /** What each account has been asked so far. */
  asked(account: 'a' | 'b'): Sandbox['requests']
}

/** The models: all of them answer with the name of the account. */
export const model = 'sandbox/whoami'
export const otherModel = 'other/whoami'
export const alias = 'also-whoami'

/** The secrets of two clients. */
export const clients = { mine: 'secret-mine', another: 'secret-another' }

/** Two accounts that can be told apart; `a` is the one to be asked first. */
export async function startStage(open?: Ground['open'], changes: Changes = {}): Promise<Stage> {
  await using starting = new AsyncDisposableStack()
  const sandbox = starting.use(await startSandbox())
  const opened = starting.use(await (open ?? openMemory)())
  const store = breakable(opened.store)
  const clock = { now: Date.now() }
  const gateway = starting.use(
    await createTestGateway({
      ...configured(sandbox, changes),
      store,
      keys: Object.entries(clients).map(([id, secret]) => ({ id, secret })),
      now: () => clock.now,
    }),
  )
  const started = starting.move()
  return {
    gateway,
    sandbox,
    broken: store.broken,
    get now() {
      return clock.now
    },
    set now(time) {
      clock.now = time
    },
    configure: (changed) => gateway.reload(configured(sandbox, changed)),
    asked: (account) => sandbox.requests.filter((request) => request.account === account),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

/** New work goes to the other account from now on, unless it belongs to `a`. */
export const preferB: Changes = { a: { priority: 2 } }

function configured({ url }: Sandbox, changes: Changes) {
  const accounts = (['a', 'b'] as const)
    .filter((id) => !(id in changes) || changes[id])
    .map((id, priority) => ({
      id,
      provider: 'sandbox',
      baseUrl: url,
      apiKey: `sandbox-key-${id}`,
      models: { 'sandbox/*': 'sandbox/*', 'other/*': 'sandbox/*' },
      priority,
      ...changes[id],
    }))
  return { accounts, aliases: { [alias]: model } }
}

function openMemory(): Promise<OpenedStore> {
  const store = openMemoryStore()
  return Promise.resolve({ store, [Symbol.asyncDispose]: () => store.close() })
}
