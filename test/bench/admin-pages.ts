/**
 * Measures pages of the admin API over 50,000 bindings and 10,000 jobs, on each kind of store: the time
 * of a page and the longest turn of the event loop meanwhile, in milliseconds of the clock and of the
 * CPU. Only the CPU's are good on a busy machine.
 */

import { newJobId } from '../../src/jobs/ids.ts'
import { type Job, jobSeconds } from '../../src/jobs/job.ts'
import { createJobs, jobsNamespace } from '../../src/jobs/jobs.ts'
import {
  type Binding,
  bindingKeyOf,
  bindingsNamespace,
  ownedMs,
} from '../../src/stores/bindings.ts'
import type { Store } from '../../src/stores/store.ts'
import {
  type AdminGateway,
  type GraphAnswer,
  type Page,
  startAdminGateway,
} from '../admin/admin-gateway.ts'
import { grounds } from '../admin/grounds.ts'

const bindings = 50_000
const jobs = 10_000
const batch = 500

/** How often the first page is read. */
const times = 30

const bindingFields = 'id kind keyId accountId model chainUntil expiresAt'
const jobFields = 'id kind state accountId keyId progress createdAt'

for (const { name, open } of grounds) {
  await using opened = await open()
  await seedBindings(opened.store)
  await seedJobs(opened.store)
  await using gateway = await startAdminGateway({ store: opened.store })
  const measured = {
    'bindings, first 20': await firstPage(gateway, 'bindings(first: 20)', bindingFields),
    'bindings, first 100': await firstPage(gateway, 'bindings(first: 100)', bindingFields),
    'bindings of an account that has none': await firstPage(
      gateway,
      'bindings(first: 20, filter: {accountId: "none"})',
      bindingFields,
    ),
    'bindings of a key': await firstPage(
      gateway,
      'bindings(first: 20, filter: {keyId: "key-7"})',
      bindingFields,
    ),
    'jobs, first 20': await firstPage(gateway, 'jobs(first: 20)', jobFields),
    'jobs, first 100': await firstPage(gateway, 'jobs(first: 100)', jobFields),
    'jobs of a state that none has': await firstPage(
      gateway,
      'jobs(first: 20, filter: {state: FAILED})',
      jobFields,
    ),
    'all bindings, pages of 100': await walk(gateway),
  }
  console.log(name)
  console.table(measured)
}

/** The first page, read several times. */
async function firstPage(gateway: AdminGateway, field: string, fields: string) {
  const query = `{ page: ${field} { edges { node { ${fields} } } pageInfo { hasNextPage } } }`
  // Without those in which the engine compiles.
  for (let index = 0; index < 10; index++) await gateway.graph(query)
  const meter = startMeter()
  for (let index = 0; index < times; index++) {
    const { errors } = await meter.measure(gateway.graph(query))
    if (errors.length > 0) throw new Error(JSON.stringify(errors))
  }
  return meter.end()
}

async function walk(gateway: AdminGateway) {
  const query = `query ($after: String) { bindings(first: 100, after: $after) {
    edges { node { id } } pageInfo { hasNextPage endCursor } } }`
  const ids = new Set<string>()
  const meter = startMeter()
  for (let after: string | null = null; ;) {
    const page: Promise<GraphAnswer<{ bindings: Page<{ id: string }> }>> = gateway.graph(query, {
      after,
    })
    const { data } = await meter.measure(page)
    for (const { node } of data.bindings.edges) ids.add(node.id)
    if (!data.bindings.pageInfo.hasNextPage) break
    after = data.bindings.pageInfo.endCursor
  }
  if (ids.size !== bindings) throw new Error(`${ids.size} of ${bindings} bindings were found.`)
  return meter.end()
}

/** Measures calls, and each turn of the loop from now to the end. */
function startMeter() {
  const taken: number[] = []
  const worked: number[] = []
  let [longestTurn, cpu, isOver] = [0, cpuMs(), false]
  const turn = () => {
    const now = cpuMs()
    longestTurn = Math.max(longestTurn, now - cpu)
    cpu = now
    if (!isOver) setImmediate(turn)
  }
  turn()
  return {
    async measure<T>(work: Promise<T>): Promise<T> {
      const [start, before] = [performance.now(), cpuMs()]
      const result = await work
      taken.push(performance.now() - start)
      worked.push(cpuMs() - before)
      return result
    },
    end() {
      isOver = true
      const ms = (milliseconds: number) => Math.round(milliseconds * 10) / 10
      const middle = (all: number[]) =>
        all.toSorted((one, other) => one - other)[all.length >> 1] ?? 0
      return {
        'page, median': ms(middle(taken)),
        'page, CPU median': ms(middle(worked)),
        'page, CPU longest': ms(Math.max(...worked)),
        'turn, CPU longest': ms(longestTurn),
      }
    },
  }
}

/** The time that this thread has worked. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

async function seedBindings(store: Store): Promise<void> {
  const records = store.records<Binding>(bindingsNamespace)
  for (let from = 0; from < bindings; from += batch) {
    const expiresAt = Date.now() + ownedMs
    await records.setMany(
      Array.from({ length: batch }, (_, index) => ({
        id: bindingKeyOf({
          kind: 'response',
          keyId: `key-${index % 40}`,
          id: `resp_${String(from + index).padStart(48, '0')}`,
        }),
        value: { account: 'one', model: 'gpt-5', expiresAt, chainUntil: expiresAt },
        ttlMs: ownedMs,
      })),
    )
  }
}

async function seedJobs(store: Store): Promise<void> {
  const log = { error: console.error, warn: console.error }
  const all = createJobs({ records: store.records<Job>(jobsNamespace, { listed: true }), log })
  const now = Date.now()
  const createdAt = Math.floor(now / 1_000)
  for (let from = 0; from < jobs; from += batch) {
    await Promise.all(
      Array.from({ length: batch }, (_, index) =>
        all.create({
          id: newJobId(now + from + index),
          kind: 'video',
          keyId: `key-${index % 40}`,
          accountId: 'one',
          dialect: 'videos',
          model: 'camera',
          requested: 'camera',
          upstreamId: `vid_${from + index}`,
          status: 'queued',
          progress: 0,
          createdAt,
          expiresAt: createdAt + jobSeconds,
          prompt: 'a cat that runs after a ball on a beach '.repeat(25),
          seconds: '4',
          size: '720x1280',
        }),
      ),
    )
  }
}
