import { expect, test } from 'vitest'

import { models } from '../../plugins/models/index.ts'
import { hasClients } from '../../src/contract/dialect.ts'
import { compileModels } from '../../src/accounts/patterns.ts'
import { createSnapshot } from '../../src/accounts/snapshot.ts'
import { createLog } from '../../src/lib/log.ts'
import type { Account } from '../../src/contract/account.ts'
import type { Authenticated } from '../../src/contract/exchange.ts'
import type { ServeOperation } from '../../src/contract/operation.ts'

const count = 300

/** Accounts with a model and a pattern each, which tell how often they are asked for a model. */
function manyAccounts() {
  const asked = { times: 0 }
  const accounts = Array.from({ length: count }, (_, at) => {
    const own = compileModels([`own-${at}`, `own-${at}-*`])
    const upstreamName = (model: string) => {
      asked.times++
      return own.upstreamName(model)
    }
    return { id: `a-${at}`, enabled: true, speaks: ['chat'], models: { ...own, upstreamName } }
  })
  return { asked, accounts: accounts as unknown as Account[] }
}

test('a list of the models of many accounts asks none of them', async () => {
  const { asked, accounts } = manyAccounts()
  const aliases = Object.fromEntries(accounts.map((_, at) => [`alias-${at}`, `own-${at}`]))
  const snapshot = createSnapshot(accounts, aliases)
  const caller = { mayUse: (name: string) => !name.endsWith('7') }
  const [dialect] = models({ log: createLog({ write() {} }) }).dialects!.filter(hasClients)
  const list = dialect!.operations.find(({ id }) => id === 'models.list') as ServeOperation
  const exchange = { snapshot, caller, progress: {} } as unknown as Authenticated
  const { body } = await list.serve(exchange, {} as never)
  const { data } = JSON.parse((body as Buffer).toString()) as { data: { id: string }[] }
  expect(data.map(({ id }) => id)).toEqual(snapshot.modelNames.filter(caller.mayUse))
  expect(data).toHaveLength(2 * count - 60)
  expect(asked.times).toBe(0)
})
