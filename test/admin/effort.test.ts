import { setImmediate as turnOf } from 'node:timers/promises'

import { describe, expect, test } from 'vitest'

import { createAuditLog } from '../../src/audit/log.ts'
import { listAudit } from '../../src/admin/audit-pages.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import { bindingKeyOf, bindingsNamespace, ownedMs } from '../../src/stores/bindings.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import type { Store } from '../../src/stores/store.ts'
import { type Page, startAdminGateway } from './admin-gateway.ts'
import { grounds } from './grounds.ts'

/** `count` times a field, each under another name. */
function aliased(count: number, field: string): string {
  return `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ')} }`
}

const walk = 'bindings(first: 1, filter: {accountId: "none"}) { edges { cursor } }'

/** A field that reads much or for long, of which one operation may have few. */
const costly = {
  bindings: walk,
  jobs: 'jobs(first: 1, filter: {accountId: "none"}) { edges { cursor } }',
  job: 'job(id: "none") { id }',
  keys: 'keys(first: 1, filter: {state: REVOKED}) { edges { cursor } }',
  audit: 'audit(first: 1, filter: {actor: "none"}) { edges { cursor } }',
  sessions: 'sessions(first: 1) { edges { cursor } }',
  recent: 'recent(first: 1) { edges { cursor } }',
}

test.for(Object.entries(costly))('an operation asks for %s a few times only', async ([, field]) => {
  await using gateway = await startAdminGateway()
  const few = await gateway.graph(aliased(15, field), {}, 'viewer')
  expect(few.errors).toEqual([])
  const many = await gateway.graph(aliased(20, field), {}, 'viewer')
  expect(many.errors[0]?.message).toMatch(/complexity|costs/i)
})

test('long lists in memory have their costs too', async () => {
  await using gateway = await startAdminGateway()
  for (const field of [
    'accounts(first: 1) { pageInfo { hasNextPage } }',
    'models(first: 1) { pageInfo { hasNextPage } }',
  ]) {
    const { errors } = await gateway.graph(aliased(45, field), {}, 'viewer')
    expect([field, errors[0]?.message]).toEqual([field, expect.stringMatching(/complexity|costs/i)])
  }
})

/** What reads of the store's lists and bindings are under way. */
interface Watch {
  running: number
  most: number
  calls: number
  readonly operation: 'scan' | 'list'
  readonly namespace: string
  /** Absent: reads go on at once. */
  held?: Promise<void>
}

const walked = {
  bindings: { operation: 'scan', namespace: bindingsNamespace },
  audit: { operation: 'list', namespace: 'audit' },
} as const

function watched(store: Store, watch: Watch): Store {
  return {
    ...store,
    records: <T>(...parameters: Parameters<Store['records']>) => {
      const records = store.records<T>(...parameters)
      const during =
        <A extends unknown[], R>(read: (...args: A) => Promise<R>) =>
        async (...args: A): Promise<R> => {
          watch.calls++
          watch.most = Math.max(watch.most, ++watch.running)
          try {
            await watch.held
            return await read(...args)
          } finally {
            watch.running--
          }
        }
      return new Proxy(records, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name)
          if (name !== watch.operation || parameters[0] !== watch.namespace) return value
          return during((value as typeof records.scan).bind(target))
        },
      })
    },
  }
}

async function seed(store: Store, count: number): Promise<void> {
  const value = { account: 'one', model: 'm', expiresAt: Date.now() + ownedMs }
  const records = store.records<object>(bindingsNamespace)
  const idOf = (index: number) =>
    bindingKeyOf({ kind: 'response', keyId: 'test', id: `resp_${index}` })
  for (let from = 0; from < count; from += 200) {
    const indexes = Array.from({ length: 200 }, (_, index) => from + index)
    await records.setMany(indexes.map((index) => ({ id: idOf(index), value })))
  }
}

test('queries of one principal leave reads of the store to the others, and all together to the calls', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const watch: Watch = { ...walked.bindings, running: 0, most: 0, calls: 0, held }
  await using gateway = await startAdminGateway({ store: watched(openMemoryStore(), watch) })
  const flood = Array.from({ length: 5 }, () => gateway.graph(aliased(15, walk), {}, 'viewer'))
  await expect.poll(() => watch.running).toBe(2)
  const other = gateway.graph(aliased(15, walk), {}, 'admin')
  await expect.poll(() => watch.running).toBe(4)
  let hasRead = false
  const third = gateway.services.reads.run('operator', undefined, async () => {
    hasRead = true
  })
  for (let turn = 0; turn < 20; turn++) await turnOf()
  expect(hasRead).toBe(false)
  release()
  await third
  for (const { errors } of await Promise.all([...flood, other])) expect(errors).toEqual([])
  expect(watch.most).toBe(4)
})

test.for(['bindings', 'audit'] as const)('a walk of %s ends with its operation', async (about) => {
  const field = costly[about]
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const watch: Watch = { ...walked[about], running: 0, most: 0, calls: 0 }
  const store = watched(openMemoryStore(), watch)
  await using gateway = await startAdminGateway({ store, adminLimits: { queryMs: 2_000 } })
  await seed(store, 1_500)
  for (let index = 0; index < 450; index++) {
    const act = { address: '', agent: '', action: 'x.y', target: { type: 'x', id: 'y' } }
    await gateway.services.audit.note({ ...act, result: 'DONE' })
  }
  watch.calls = 0
  const { errors } = await gateway.graph(`{ ${field} }`)
  expect(errors).toEqual([])
  expect(watch.calls).toBeGreaterThan(2)
  Object.assign(watch, { held, calls: 0 })
  const late = await gateway.graph(aliased(3, field))
  expect(late.errors[0]?.extensions?.code).toBe('TOO_SLOW')
  const { calls } = watch
  release()
  await expect.poll(() => watch.running).toBe(0)
  for (let turn = 0; turn < 50; turn++) await turnOf()
  expect([calls, watch.calls]).toEqual([2, 2])
})

test('a page of the audit log lets others have their turns', async () => {
  const store = openMemoryStore()
  const audit = createAuditLog({ store })
  for (let index = 0; index < 900; index++) {
    const act = { address: '', agent: '', action: 'x.y', target: { type: 'x', id: 'y' } }
    await audit.note({ ...act, result: 'DONE' })
  }
  let turns = 0
  const turn = () => {
    turns++
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  await listAudit(audit, {}, { actor: 'none' })
  clearImmediate(next)
  expect(turns).toBeGreaterThan(3)
})

describe.each(grounds.filter(({ name }) => name === 'Redis'))('on $name', ({ open }) => {
  test('clients are answered while queries walk the store', async () => {
    await using opened = await open()
    await using sandbox = await startSandbox()
    await using gateway = await startAdminGateway({
      store: opened.store,
      accounts: [
        {
          id: 'native',
          provider: 'sandbox',
          baseUrl: sandbox.url,
          apiKey: 'sandbox-key-a',
          models: ['sandbox/whoami'],
          speaks: ['responses'],
        },
      ],
    })
    await seed(opened.store, 4_000)
    const call = async (more: object) => {
      const response = await fetch(`${gateway.url}/v1/responses`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}` },
        body: JSON.stringify({ model: 'sandbox/whoami', input: 'hello', ...more }),
      })
      return { status: response.status, id: ((await response.json()) as { id: string }).id }
    }
    const first = await call({})
    const operations = Array.from({ length: 4 }, (_, index) =>
      gateway.graph<{ a0: Page<unknown> }>(aliased(15, walk), {}, index % 2 ? 'viewer' : 'admin'),
    )
    const progress = { isOver: false }
    const all = Promise.all(operations).finally(() => (progress.isOver = true))
    let previous = first.id
    do {
      const next = await call({ previous_response_id: previous })
      expect(next.status).toBe(200)
      previous = next.id
    } while (!progress.isOver)
    // A busy machine may exceed the deadline of the store, or of the operation.
    const late = new Set<string | undefined>(['STORE_UNAVAILABLE', 'TOO_SLOW'])
    const codes = (await all).flatMap(({ errors }) => errors.map((one) => one.extensions?.code))
    expect(codes.filter((code) => !late.has(code))).toEqual([])
  }, 60_000)
})

test('a page of sessions reads 2,000 of them at most, however many are over; its cursor leads on', async () => {
  const store = openMemoryStore()
  const watch: Watch = {
    running: 0,
    most: 0,
    calls: 0,
    operation: 'list',
    namespace: 'admin-sessions',
  }
  const now = Date.now()
  await using gateway = await startAdminGateway({ store: watched(store, watch), now: () => now })
  const grant = { kind: 'token', id: 'admin', hash: '' }
  const over = {
    hash: `sha256:${'0'.repeat(64)}`,
    grant,
    role: 'viewer',
    beganAt: 0,
    usedAt: 0,
    endsAt: now + 60_000,
    address: '',
    agent: '',
  }
  const records = store.records<object>('admin-sessions', { listed: true })
  const idOf = (index: number) => String(index).padStart(24, '0')
  for (let from = 0; from < 5_000; from += 500) {
    const part = Array.from({ length: 500 }, (_, index) => ({
      id: idOf(from + index),
      value: over,
    }))
    await records.setMany(part)
  }
  await records.set(idOf(4_321), { ...over, usedAt: now })
  const seen: string[] = []
  let after: string | null = null
  let pages = 0
  for (let hasNext = true; hasNext; pages++) {
    watch.calls = 0
    const answer: { data: { sessions: Page<{ id: string }> } } = await gateway.graph(
      `query ($after: String) { sessions(first: 1, after: $after) {
        edges { node { id } } pageInfo { hasNextPage endCursor } } }`,
      { after },
    )
    expect(watch.calls).toBeLessThanOrEqual(10)
    const { edges, pageInfo } = answer.data.sessions
    seen.push(...edges.map(({ node }) => node.id))
    after = pageInfo.endCursor
    hasNext = pageInfo.hasNextPage
  }
  expect(seen).toEqual([idOf(4_321)])
  expect(pages).toBe(3)
})
