/**
 * `npm run bench:admin`: pages of the admin API over 10,000 accounts (in the configuration, and in the store),
 * 50,000 bindings and 10,000 jobs on each kind of store, while 200 streams run: the times of a first page and
 * of one in the middle, and the longest turn of the event loop. The gateway has a process of its own: only a store
 * in memory is part of it. `-- memory` measures one kind of store.
 */

import { loadavg } from 'node:os'

import { printLine } from '../run-bench.ts'
import { ownModel, pausedCount } from './accounts.ts'
import { measureAfterChange, measureAfterReload, measureBackground } from './changes.ts'
import { type GatewayOrder, type MeasuredGateway, startMeasuredGateway } from './gateway.ts'
import { type List, accountLists, otherLists } from './lists.ts'
import { measureList } from './pages.ts'
import { lowerPriority } from './priority.ts'
import { type Row, printRows } from './report.ts'
import { storeKinds } from './stores.ts'
import { type Streams, startStreams } from './streams.ts'

const streamCount = 200

const wanted = process.argv.slice(2)
const isWanted = ({ name }: { name: string }) => wanted.length === 0 || wanted.includes(name)

lowerPriority()
for (const kind of storeKinds.filter(isWanted)) {
  await using store = await kind.open()
  const rows = [
    ...(await measure(store.url, 'configuration')),
    ...(await measure(store.url, 'store')),
  ]
  const load = loadavg().map((one) => one.toFixed(1))
  const holds = printRows(
    `${kind.name}, milliseconds (load of the machine: ${load.join(' ')})`,
    rows,
  )
  if (!holds) process.exitCode = 1
}

/** Measures all lists with the accounts in one place. The lists of no accounts are measured once. */
async function measure(store: string, place: GatewayOrder['place']): Promise<Row[]> {
  await using streams = await startStreams()
  await using gateway = await startMeasuredGateway({ store, place, upstream: streams.upstream })
  await runStreams(streams, gateway)
  await gateway.addProcesses()
  const rows: Row[] = []
  const named = (name: string) => `${name} (accounts of the ${place})`
  rows.push({ name: named('background'), ...(await measureBackground(gateway)) })
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

async function runStreams(streams: Streams, { url, key }: MeasuredGateway): Promise<void> {
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
