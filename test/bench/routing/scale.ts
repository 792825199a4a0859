/**
 * `npm run bench:scale`: what choosing an account costs with 50,000 bindings and 1,000 accounts in
 * 100 pools, against 10 accounts in one pool. Both take turns in one process; medians are printed.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import pipeline from '../../../config/gateway.config.ts'
import { compileSnapshot } from '../../../src/accounts/compile.ts'
import type { Snapshot } from '../../../src/accounts/snapshot.ts'
import { emptyBody } from '../../../src/body.ts'
import { rankCandidates } from '../../../src/candidates.ts'
import { composeHooks, type Hooks } from '../../../src/compose.ts'
import type { Dialect } from '../../../src/dialect.ts'
import type { Understood } from '../../../src/exchange.ts'
import {
  enterAuthenticated,
  enterIdentified,
  enterReceived,
  enterUnderstood,
} from '../../../src/stages.ts'
import { type Binding, createBindings, ownedMs } from '../../../src/stores/bindings.ts'
import { openStore } from '../../../src/stores/open.ts'
import type { Store } from '../../../src/stores/store.ts'
import { median } from '../median.ts'
import { resourceId } from './ids.ts'

const runs = 5
const callsPerRun = 20_000
const keyId = 'bench'

const nobody = new Readable({ read() {} })
const headers: IncomingHttpHeaders = {}
const neverAborted = AbortSignal.any([])

interface World {
  readonly name: string
  readonly hooks: Hooks
  readonly snapshot: Snapshot
  readonly dialect: Dialect
  readonly store: Store
  readonly bindings: number
  readonly pools: number
  readonly micros: number[]
}

const directory = mkdtempSync(join(tmpdir(), 'dragoman-scale-'))
try {
  const small = await openWorld('10 accounts in 1 pool, 1,000 bindings', 10, 1, 1_000)
  const before = process.memoryUsage()
  const large = await openWorld('1,000 accounts in 100 pools, 50,000 bindings', 1_000, 100, 50_000)
  const after = process.memoryUsage()
  for (const world of [small, large]) await route(world)
  for (let run = 0; run < runs; run++) {
    for (const world of [small, large]) world.micros.push(await route(world))
  }
  const [first, second] = [small, large].map(({ micros }) => median(micros)) as [number, number]
  for (const { name, micros } of [small, large])
    print(`${name}: ${median(micros).toFixed(2)} us CPU a call`)
  print(
    `ratio ${(second / first).toFixed(3)}: ${second / first <= 1.1 ? 'met' : 'MISSED'}, at most 1.1`,
  )
  const grown = (name: 'rss' | 'heapUsed') => ((after[name] - before[name]) / 2 ** 20).toFixed(1)
  print(`the large one takes ${grown('rss')} MB more of memory, ${grown('heapUsed')} MB of it heap`)
  if (second / first > 1.1) process.exitCode = 1
  for (const { store } of [small, large]) await store.close()
} finally {
  rmSync(directory, { recursive: true, force: true })
}

async function openWorld(
  name: string,
  accountCount: number,
  pools: number,
  bindings: number,
): Promise<World> {
  const store = await openStore(`file:${join(directory, String(accountCount))}`, { cwd: '/' })
  const plugins = pipeline({
    store,
    keys: { find: () => undefined },
    log: { info() {}, warn() {}, error() {} },
    lines: { write() {}, flush: async () => {}, dropped: 0 },
    health: { draining: false, inflight: () => 0, accounts: () => accountCount },
  })
  const dialects = plugins.flatMap((plugin) => plugin.dialects ?? [])
  const settings = Array.from({ length: accountCount }, (_, index) => ({
    id: `account-${index}`,
    provider: 'openai',
    models: [modelOf(index % pools)],
    weight: 1,
    priority: 0,
    enabled: true,
  }))
  const records = store.records<Binding>('bindings')
  const stored = createBindings(records)
  for (let from = 0; from < bindings; from += 500) {
    await Promise.all(
      Array.from({ length: Math.min(500, bindings - from) }, (_, offset) => {
        const count = from + offset
        return stored.save(
          { kind: 'response', keyId, id: resourceId('resp', count) },
          {
            account: `account-${count % accountCount}`,
            model: modelOf(count % pools),
            upstreamId: resourceId('resp', count),
            form: 'native',
            chainUntil: Date.now() + ownedMs,
            expiresAt: Date.now() + ownedMs,
          },
        )
      }),
    )
  }
  return {
    name,
    store,
    bindings,
    pools,
    micros: [],
    hooks: composeHooks(plugins, { outcomeMs: 1_000, onHookError: () => {} }),
    snapshot: compileSnapshot(settings, {}, dialects).snapshot,
    dialect: dialects.find((dialect) => dialect.name === 'responses') as Dialect,
  }
}

function modelOf(pool: number): string {
  return `model-${pool}`
}

/** Processor time of one call, half of them chained: the thread of the store has nothing to do. */
async function route(world: World): Promise<number> {
  const before = process.cpuUsage()
  for (let call = 0; call < callsPerRun; call++) {
    // Far apart, so that no page of the store is the one that was just read.
    const count = (call * 7_919) % world.bindings
    const ranking = await rankCandidates(exchangeFor(world, count, call % 2 === 0), world.hooks)
    const chosen = ranking.next()
    if (!chosen) throw new Error('Nobody was chosen.')
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / callsPerRun
}

function exchangeFor(
  { snapshot, dialect, pools }: World,
  count: number,
  chained: boolean,
): Understood {
  const request = {
    method: 'POST',
    path: '/v1/responses',
    query: '',
    headers,
    remoteAddress: '',
    stream: nobody,
  }
  const client = {
    gone: false,
    onGone: () => () => {},
    watch() {},
    unwatch() {},
    reset() {},
    signal: neverAborted,
  }
  const received = enterReceived('req', request, client, snapshot)
  const operation = dialect.operations[0] as Dialect['operations'][number]
  const identified = enterIdentified(received, dialect, operation, {})
  const caller = { keyId, mayUse: () => true }
  const authenticated = enterAuthenticated(identified, caller, undefined)
  const model = modelOf(count % pools)
  const refersTo = chained
    ? [{ kind: 'response', id: resourceId('resp', count), use: 'chain' as const }]
    : []
  const call = { model, stream: false, refersTo, edits: [], losses: [] }
  return enterUnderstood(authenticated, emptyBody, call, { requested: model, name: model })
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
