/**
 * `npm run bench:admin`: pages of the admin API over 10,000 accounts (in the configuration, and in the store),
 * 50,000 bindings and 10,000 jobs on each kind of store, while 200 streams run: the times of a first page and
 * of one in the middle, and the longest turn of the event loop. `-- memory` measures one kind of store.
 */

import { loadavg } from 'node:os'

import { type AdminGateway, startAdminGateway } from '../../admin/admin-gateway.ts'
import { type Ground, grounds } from '../../admin/grounds.ts'
import type { Store } from '../../../src/stores/store.ts'
import { printLine } from '../run-bench.ts'
import { manyAccounts, ownModel, pausedCount, storeAccounts } from './accounts.ts'
import {
  addProcesses,
  measureAfterChange,
  measureAfterReload,
  measureBackground,
} from './changes.ts'
import { type List, accountLists, otherLists } from './lists.ts'
import { measureList } from './pages.ts'
import { fillStore } from './records.ts'
import { type Row, printRows } from './report.ts'
import { type Streams, startStreams } from './streams.ts'

const streamCount = 200
const secretKey = 'a-key-that-seals-the-credentials-of-this-bench'

const wanted = process.argv.slice(2)
const isWanted = ({ name }: Ground) => wanted.length === 0 || wanted.includes(name.toLowerCase())

for (const ground of grounds.filter(isWanted)) {
  await using opened = await ground.open()
  await fillStore(opened.store)
  const rows = [
    ...(await measure(opened.store, 'configuration')),
    ...(await measure(opened.store, 'store')),
  ]
  const load = loadavg().map((one) => one.toFixed(1))
  const holds = printRows(
    `${ground.name}, milliseconds (load of the machine: ${load.join(' ')})`,
    rows,
  )
  if (!holds) process.exitCode = 1
}

/** Measures all lists with the accounts in one place. The lists of no accounts are measured once. */
async function measure(store: Store, place: 'configuration' | 'store'): Promise<Row[]> {
  await using streams = await startStreams()
  const accounts = manyAccounts(streams.upstream)
  const drip = {
    id: 'drip',
    provider: 'openai-compatible',
    baseUrl: streams.upstream,
    speaks: ['chat'],
    apiKey: 'sk-drip-0123456789abcdef',
    models: ['drip'],
  }
  if (place === 'store') await storeAccounts(store, accounts, secretKey)
  await using gateway = await startAdminGateway({
    store,
    accounts: place === 'store' ? [drip] : [drip, ...accounts],
    env: { DRAGOMAN_SECRET_KEY: secretKey },
  })
  await runStreams(streams, gateway)
  await addProcesses(store, gateway)
  const rows: Row[] = []
  const named = (name: string) => `${name} (accounts of the ${place})`
  rows.push({ name: named('background'), ...(await measureBackground()) })
  const lists: List[] = accountLists.map((list) => ({ ...list, name: named(list.name) }))
  if (place === 'configuration') lists.push(...otherLists)
  for (const list of lists) rows.push({ name: list.name, ...(await measureList(gateway, list)) })
  rows.push({
    name: named('accounts, after a change'),
    ...(await measureAfterChange(gateway)),
  })
  if (place === 'configuration') rows.push(...(await measureAfterReload(gateway)))
  await assertStreams(streams)
  return rows
}

async function runStreams(streams: Streams, { url, key }: AdminGateway): Promise<void> {
  const pausedModels = Array.from({ length: pausedCount }, (_, index) => ownModel(index))
  await streams.start({ url, key, streams: streamCount, pausedModels })
  await streams.report()
}

/** Figures without the streams would say nothing. */
async function assertStreams(streams: Streams): Promise<void> {
  const { open, frames, longestGapMs } = await streams.report()
  if (open !== streamCount) throw new Error(`${open} of ${streamCount} streams are open.`)
  const gap = Math.round(longestGapMs)
  printLine(`${open} streams had ${frames} frames, at most ${gap} ms apart by the clock`)
}
