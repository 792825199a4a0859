import { randomBytes } from 'node:crypto'

import { expect, test } from 'vitest'

import { resealAccounts } from '../../src/configuration/reseal-accounts.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { createSealer } from '../../src/stores/sealing.ts'
import type { Records, Store } from '../../src/stores/store.ts'
import {
  type StoredAccount,
  accountRecords,
  credentialSubject,
} from '../../src/stores/stored-accounts.ts'

const account = { id: 'one', provider: 'openai', models: ['m'] }
const [former, newest] = [0, 1].map(() => randomBytes(32).toString('base64')) as [string, string]

/** The account with a credential under the former key, as a gateway without the newest one writes it. */
function sealedBefore(version: number): StoredAccount {
  const sealed = createSealer([former]).seal('secret', credentialSubject(account))
  return { version, createdAt: 1, changedAt: 1, account, credential: { changedAt: 1, sealed } }
}

/** A store in which another process changes the account before each of the first updates. */
async function contestedStore(changes: number): Promise<Store> {
  const store = openMemoryStore()
  await accountRecords(store).set('one', sealedBefore(1))
  let version = 1
  const records: Store['records'] = <T>(namespace: string, options?: object) => {
    const opened = store.records<T>(namespace, options)
    const update: Records<T>['update'] = async (id, change) => {
      if (version <= changes) await accountRecords(store).set('one', sealedBefore(++version))
      return opened.update(id, change)
    }
    return { ...opened, update }
  }
  return { ...store, records }
}

const sealer = createSealer([newest, former])

test('a record that changes during a rotation is sealed with the newest key all the same', async () => {
  const store = await contestedStore(1)
  expect(await resealAccounts(store, sealer)).toEqual({
    resealed: ['one'],
    current: [],
    closed: [],
    contested: [],
  })
  const record = await accountRecords(store).get('one')
  expect(record).toMatchObject({ version: 2, credential: { sealed: { key: sealer.newest() } } })
})

test('a record that never stays sealed with the newest key is not said to be', async () => {
  const store = await contestedStore(Infinity)
  expect(await resealAccounts(store, sealer)).toEqual({
    resealed: [],
    current: [],
    closed: [],
    contested: ['one'],
  })
})
