import OpenAI from 'openai-7'

import {
  type AccountRequest,
  createTestGateway,
  startFakeAccount,
  type TestGateway,
} from '../../../src/testing/index.ts'
import type { BreakableStore } from '../../../src/testing/breakable-store.ts'
import { breakable } from '../../../src/testing/breakable-store.ts'
import type { Ground } from './grounds.ts'
import { keeper } from './keeper.ts'
import { clients } from './stage.ts'

type Name = 'a' | 'b'

export interface Keepers extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly broken: BreakableStore['broken']
  readonly mine: OpenAI
  readonly another: OpenAI
  /** New work goes to this account from now on. */
  prefer(account: Name): void
  remove(account: Name): void
  asked(account: Name): readonly AccountRequest[]
}

/** A gateway before two keepers of conversations; `a` is the one to be asked first. */
export async function startKeepers(open: Ground['open']): Promise<Keepers> {
  await using starting = new AsyncDisposableStack()
  const opened = starting.use(await open())
  const store = breakable(opened.store)
  const accounts = {
    a: starting.use(await startFakeAccount(keeper('a'))),
    b: starting.use(await startFakeAccount(keeper('b'))),
  }
  const configured = (names: Name[]) => ({
    accounts: names.map((id, priority) => ({
      id,
      provider: 'openai',
      baseUrl: `${accounts[id].url}/v1`,
      apiKey: `key-of-${id}`,
      models: ['*'],
      priority,
    })),
  })
  const keys = Object.entries(clients).map(([id, secret]) => ({ id, secret }))
  const gateway = starting.use(await createTestGateway({ ...configured(['a', 'b']), keys, store }))
  const started = starting.move()
  const connect = (apiKey: string) =>
    new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0 })
  const other = (name: Name): Name => (name === 'a' ? 'b' : 'a')
  return {
    gateway,
    broken: store.broken,
    mine: connect(clients.mine),
    another: connect(clients.another),
    prefer: (account) => gateway.reload(configured([account, other(account)])),
    remove: (account) => gateway.reload(configured([other(account)])),
    asked: (account) => accounts[account].requests,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}
