import { createHash } from 'node:crypto'
import { request } from 'node:http'

import { expect, test } from 'vitest'

import { createAuditLog } from '../../src/audit/log.ts'
import { createDeniedActLog } from '../../src/admin/denied-acts.ts'
import { createLog } from '../../src/lib/log.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { openStore } from '../../src/stores/open.ts'
import { type Store, StoreUnavailable } from '../../src/stores/store.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { temporaryDirectory } from '../stores/temporary.ts'
import { send } from './http/send.ts'
import {
  type AdminGateway,
  type GraphAnswer,
  type Page,
  nodesOf,
  startAdminGateway,
} from './admin-gateway.ts'

interface Entry {
  readonly id: string
  readonly at: string
  readonly action: string
  readonly result: string
  readonly count: number
  readonly target: { readonly id: string }
  readonly [name: string]: unknown
}

async function auditOf(
  gateway: AdminGateway,
  page: { first?: number; after?: string; filter?: object } = {},
): Promise<Page<Entry>> {
  const { data, errors } = await gateway.graph<{ audit: Page<Entry> }>(
    `query ($first: Int, $after: String, $filter: AuditFilter) {
      audit(first: $first, after: $after, filter: $filter) {
        edges { node { id at action result count actor { id kind role } target { type id } message reason address } }
        pageInfo { hasNextPage endCursor } } }`,
    page,
  )
  expect(errors).toEqual([])
  return data.audit
}

const act = (action: string, id: string, actor = 'ops') => ({
  actor: { kind: 'token', id: actor, role: 'admin' } as const,
  address: '127.0.0.1',
  agent: 'test',
  action,
  target: { type: 'key', id },
})

const noLog = createLog({ write: () => {} })

test('the log is filtered by time, actor, action and target, page by page', async () => {
  const store = await openStore('memory:', { cwd: '/' })
  let now = Date.UTC(2030, 0, 1)
  const audit = createAuditLog({ store, now: () => now })
  for (let index = 0; index < 30; index++) {
    now += 60_000
    const action = index % 3 === 0 ? 'key.rotate' : 'account.disable'
    await audit.note({ ...act(action, `t-${index}`, index % 2 ? 'one' : 'two'), result: 'DONE' })
  }
  await store.records('audit', { listed: true }).set(`${String(now).padStart(15, '0')}-x`, null)
  await using gateway = await startAdminGateway({ store })
  const ids = async (filter: object) => {
    const page = await auditOf(gateway, { first: 50, filter })
    expect(page.pageInfo.hasNextPage).toBe(false)
    return nodesOf(page).map(({ target }) => Number(target.id.slice(2)))
  }
  expect(await ids({})).toEqual(Array.from({ length: 30 }, (_, index) => 29 - index))
  expect(await ids({ actor: 'one', action: 'key' })).toEqual([27, 21, 15, 9, 3])
  expect(await ids({ action: 'key.rotate', target: 't-6' })).toEqual([6])
  expect(await ids({ action: 'ke' })).toEqual([])
  expect(await ids({ from: '2030-01-01T00:10:00Z', to: '2030-01-01T00:13:00Z' })).toEqual([
    11, 10, 9,
  ])
  const seen: string[] = []
  for (let after: string | undefined; ;) {
    const page = await auditOf(gateway, { first: 4, ...(after && { after }) })
    seen.push(...nodesOf(page).map(({ id }) => id))
    after = page.pageInfo.endCursor ?? undefined
    if (!page.pageInfo.hasNextPage) break
  }
  expect(new Set(seen).size).toBe(30)
})

test('a filter that matches nothing reads a bounded part, and its cursor leads on', async () => {
  const entries = Array.from({ length: 5_000 }, (_, index) => {
    const cursor = String(9_999 - index)
    return { cursor, node: { ...act('key.rotate', cursor), id: cursor, at: 1, result: 'DONE' } }
  })
  let read = 0
  const list = async ({ after, limit }: { after?: string | undefined; limit: number }) => {
    const start = after === undefined ? 0 : entries.findIndex(({ cursor }) => cursor < after)
    const page = start < 0 ? [] : entries.slice(start, start + limit)
    read += page.length
    return page as never
  }
  const { listAudit } = await import('../../src/admin/audit-pages.ts')
  const found: string[] = []
  let pages = 0
  for (let after: string | undefined; ; pages++) {
    read = 0
    const page = await listAudit({ positions: list }, { first: 1, after }, { target: '5001' })
    expect(read).toBeLessThanOrEqual(2_200)
    found.push(...page.edges.map(({ node }) => node.target.id))
    if (!page.pageInfo.hasNextPage) break
    expect(page.pageInfo.endCursor).not.toBeNull()
    after = page.pageInfo.endCursor!
  }
  expect(found).toEqual(['5001'])
  expect(pages).toBeLessThan(6)
})

test('an act that the role does not permit is in the log before its answer', async () => {
  await using gateway = await startAdminGateway()
  const refused = `mutation ($id: ID!) {
    disableAccount(input: {id: $id, reason: "-"}) { __typename } }`
  for (const id of ['one', 'two']) {
    const { errors } = await gateway.graph(refused, { id }, 'viewer')
    expect(errors[0]?.extensions?.code).toBe('FORBIDDEN')
  }
  expect(nodesOf(await auditOf(gateway))).toMatchObject([
    {
      action: 'account.disable',
      result: 'REFUSED',
      actor: { id: 'viewer', role: 'VIEWER' },
      target: { type: 'account', id: 'two' },
      count: 1,
    },
    {
      action: 'account.disable',
      target: { type: 'account', id: 'one' },
      message: 'The role viewer does not permit it.',
      count: 1,
    },
  ])
})

test('what comes from a foreign site, or without the header of the own pages, is in the log', async () => {
  await using gateway = await startAdminGateway()
  const body = '{"query":"{ viewer { role } }"}'
  const json = { 'content-type': 'application/json' }
  const answers = await Promise.all([
    send(gateway.adminUrl, { headers: { ...json, host: 'evil.example' }, body }),
    send(gateway.adminUrl, { headers: { ...json, origin: 'http://evil.example' }, body }),
    send(gateway.adminUrl, { headers: { ...json, cookie: 'dragoman_admin=canary' }, body }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([421, 403, 403])
  const entries = nodesOf(await auditOf(gateway))
  expect(entries.map(({ action, result }) => `${action} ${result}`).toSorted()).toEqual([
    'session.use REFUSED',
    // One source and one action: one record.
    'site.enter REFUSED',
  ])
  expect(JSON.stringify(entries)).not.toContain('canary')
})

test('refused acts on many things have a record each, within a bound', async () => {
  const store = await openStore('memory:', { cwd: '/' })
  const audit = createAuditLog({ store })
  const deniedActs = createDeniedActLog(audit, noLog)
  for (let index = 0; index < 300; index++) {
    await deniedActs.note({ kind: 'act', ...act('key.revoke', `key-${index % 150}`) })
  }
  await deniedActs.close()
  const entries = (await audit.positions({ limit: 1_000 })).map(({ node }) => node!)
  expect(entries).toHaveLength(101)
  expect(entries.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(300)
})

test('a refused credential is in the log without it, once a minute', async () => {
  await using gateway = await startAdminGateway()
  for (const secret of ['canary-one', 'canary-two', gateway.key]) {
    const response = await fetch(`${gateway.adminUrl}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: '{"query":"{ viewer { role } }"}',
    })
    expect(response.status).toBe(401)
  }
  const entries = nodesOf(await auditOf(gateway))
  expect(entries).toMatchObject([{ action: 'token.use', result: 'REFUSED', actor: null }])
  expect(JSON.stringify([entries, gateway.log])).not.toMatch(/canary|test-secret/)
})

test('a flood of refusals from many addresses leaves a few records with counts', async () => {
  const store = await openStore('memory:', { cwd: '/' })
  const audit = createAuditLog({ store })
  const deniedActs = createDeniedActLog(audit, noLog)
  for (let index = 0; index < 1_000; index++) {
    const { address: _address, actor: _actor, ...rest } = act('token.use', '')
    await deniedActs.note({ kind: 'entry', ...rest, address: `10.0.0.${index % 250}` })
  }
  await deniedActs.note({ kind: 'act', ...act('key.revoke', 'x') })
  await deniedActs.close()
  const entries = (await audit.positions({ limit: 1_000 })).map(({ node }) => node!)
  expect(entries).toHaveLength(12)
  expect(entries.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(1_001)
  expect(entries.find(({ target }) => target.id === 'others')).toMatchObject({
    address: '',
    count: 960,
  })
  expect(entries.find(({ action }) => action === 'key.revoke')).toBeDefined()
})

test('a refusal that the store cannot take is refused all the same', async () => {
  const store = breakable(await openStore('memory:', { cwd: '/' }))
  await using gateway = await startAdminGateway({ store })
  store.broken.writes = true
  const { errors } = await gateway.graph(
    'mutation { createKey(input: {id: "x"}) { __typename } }',
    {},
    'viewer',
  )
  expect(errors[0]?.extensions?.code).toBe('FORBIDDEN')
  expect(JSON.stringify(gateway.log)).toContain('is not in the audit log')
})

test('each record names the one before, so that a missing one shows', async () => {
  const store = await openStore('memory:', { cwd: '/' })
  const audit = createAuditLog({ store })
  const ends = await Promise.all(
    ['a', 'b', 'c', 'd'].map((id) => audit.begin({ ...act('key.rotate', id), reason: 'why' })),
  )
  await Promise.all(ends.toReversed().map((end) => end({ result: 'DONE', after: { x: 1 } })))
  const entries = (await audit.positions({ limit: 10 })).map(({ node }) => node!)
  expect(entries.map(({ target }) => target.id)).toEqual(['a', 'b', 'c', 'd'])
  const hashes = entries.map((entry) => {
    const { id, at, actor, address, agent, action, target, reason, requestId, prev } = entry
    const about = [actor?.kind, actor?.id, actor?.role, address, agent, action]
    const members = [id, at, ...about, target.type, target.id, reason, requestId, prev]
    const text = JSON.stringify(members.map((member) => member ?? null))
    return createHash('sha256').update(text).digest('base64url')
  })
  expect(entries.map(({ prev }) => prev)).toEqual([undefined, ...hashes.slice(0, 3)])
})

test('the seal of a record covers all of it, and only a holder of the key can write it', async () => {
  const store = await openStore('memory:', { cwd: '/' })
  const former = 'f'.repeat(32)
  const latest = 'l'.repeat(32)
  const old = createAuditLog({ store, keys: [former] })
  await old.note({ ...act('key.rotate', 'old'), result: 'DONE' })
  const audit = createAuditLog({ store, keys: [latest, former] })
  const end = await audit.begin(act('key.rotate', 'new'))
  await end({ result: 'FAILED', message: 'why', before: { a: 1 }, after: { a: 2 } })
  const count = await audit.note({ ...act('key.rotate', 'counted'), result: 'REFUSED' })
  await count(3)
  const read = async (log = audit) => (await log.positions({ limit: 10 })).map(({ node }) => node!)
  const states = async (log = audit) => (await read(log)).map((entry) => log.check(entry))
  expect(await states()).toEqual(['INTACT', 'INTACT', 'INTACT'])
  expect(await states(old)).toEqual(['INTACT', 'UNKNOWN_KEY', 'UNKNOWN_KEY'])

  const [, entry] = await read()
  const changes = [
    { result: 'DONE' as const },
    { message: 'other' },
    { message: undefined },
    { before: { a: 2 } },
    { after: {} },
    { count: 2 },
    { at: 1 },
    { reason: 'other' },
    { actor: undefined },
    { target: { type: 'key', id: 'other' } },
    { prev: 'other' },
    { id: 'other' },
  ]
  for (const change of changes)
    expect([change, audit.check({ ...entry!, ...change } as never)]).toEqual([change, 'CHANGED'])
  expect(audit.check({ ...entry!, seal: undefined } as never)).toBe('ABSENT')

  // Without a key, a seal is a digest, which others can write.
  const unkeyed = createAuditLog({ store, keys: [] })
  await unkeyed.note({ ...act('key.rotate', 'forged'), result: 'DONE' })
  expect(await states()).toEqual(['INTACT', 'INTACT', 'INTACT', 'UNKEYED'])
  await using gateway = await startAdminGateway({ store })
  const { data } = await gateway.graph<{ audit: Page<{ seal: string }> }>(
    '{ audit { edges { node { seal } } } }',
  )
  const unknown = 'UNKNOWN_KEY'
  expect(nodesOf(data.audit).map(({ seal }) => seal)).toEqual([
    'UNKEYED',
    unknown,
    unknown,
    unknown,
  ])
})

test('every record is in the log of the gateway', async () => {
  await using gateway = await startAdminGateway()
  await gateway.graph('mutation { createKey(input: {id: "x"}) { __typename } }')
  const records = gateway.log.filter(({ msg }) => msg === 'audit')
  expect(records.map(({ audit }) => (audit as Entry).result)).toEqual(['STARTED', 'DONE'])
})

async function fill(store: Store, count: number, first = 1_000): Promise<void> {
  const entries = Array.from({ length: count }, (_, index) => {
    const id = `${String(first + index).padStart(15, '0')}-${String(index).padStart(6, '0')}`
    const value = { ...act('key.rotate', String(index)), at: 1_000 + index, result: 'DONE' }
    return { id, value: { ...value, agent: 'x'.repeat(500) } }
  })
  await store.records('audit', { listed: true }).setMany(entries)
}

const exportOf = ({ adminUrl, token }: AdminGateway, query = '') =>
  fetch(`${adminUrl}/audit.ndjson${query}`, {
    headers: { authorization: `Bearer ${token('viewer')}` },
  })

test.each(['file', 'Redis'])('from %s the log is exported, the oldest first', async (kind) => {
  await using directory = await temporaryDirectory()
  await using redis = kind === 'Redis' ? await startRedis() : undefined
  const store = await openStore(redis?.url ?? `file:${directory.path}`, { cwd: '/' })
  await fill(store, 1_234)
  await using gateway = await startAdminGateway({ store })
  const lines = (await (await exportOf(gateway)).text()).trimEnd().split('\n')
  const entries = lines.map((line) => JSON.parse(line) as Entry)
  expect(entries.slice(0, -1).map(({ target }) => target.id)).toEqual(
    Array.from({ length: 1_234 }, (_, index) => String(index)),
  )
  // Who takes the log away is in it.
  expect(entries.at(-1)).toMatchObject({
    action: 'audit.export',
    actor: { kind: 'token', id: 'viewer' },
    target: { type: 'audit', id: '/' },
    result: 'DONE',
  })
  const part = await exportOf(gateway, '?from=1970-01-01T00:00:01.500Z&to=1970-01-01T00:00:02Z')
  expect(part.headers.get('content-type')).toBe('application/x-ndjson')
  expect((await part.text()).trimEnd().split('\n')).toHaveLength(500)
  expect((await exportOf(gateway, '?from=yesterday')).status).toBe(400)
  await gateway[Symbol.asyncDispose]()
  await store.close()
})

test('exports count among the operations of a token, and do not begin without their record', async () => {
  const store = breakable(openMemoryStore())
  await using gateway = await startAdminGateway({ store, adminLimits: { tokenBurst: 2 } })
  store.broken.writes = true
  expect((await exportOf(gateway)).status).toBe(503)
  store.broken.writes = false
  const statuses = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const response = await exportOf(gateway)
      const { errors } = (await response.json().catch(() => ({}))) as Partial<GraphAnswer>
      return errors?.[0]?.extensions?.code
    }),
  )
  expect(statuses).toContain('TOO_MANY_REQUESTS')
})

test('without a token nothing is exported', async () => {
  await using gateway = await startAdminGateway()
  for (const authorization of ['', `Bearer ${gateway.key}`]) {
    const response = await fetch(`${gateway.adminUrl}/audit.ndjson`, { headers: { authorization } })
    expect(response.status).toBe(401)
  }
  const { token, adminUrl } = gateway
  const posted = await fetch(`${adminUrl}/audit.ndjson`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token('admin')}` },
  })
  expect(posted.status).toBe(405)
})

/** A store whose lists of audit records, but for the first pages, are counted and may be made to fail. */
function watched(store: Store) {
  const pages = { read: 0, least: Infinity }
  const records: Store['records'] = <T>(...parameters: Parameters<Store['records']>) => {
    const opened = store.records<T>(...parameters)
    const list: typeof opened.list = async (options) => {
      if (parameters[0] === 'audit' && options?.after !== undefined) pages.read++
      if (pages.read >= pages.least) throw new StoreUnavailable('It is broken on purpose.')
      return await opened.list(options)
    }
    return { ...opened, list }
  }
  return { store: { ...store, records }, pages }
}

test('a client that does not read holds back the export, and few may run at once', async () => {
  const { store, pages } = watched(await openStore('memory:', { cwd: '/' }))
  await fill(store, 20_000)
  const tokens = ['viewer', 'b', 'c', 'd', 'e'].map((id) => ({
    id,
    role: 'viewer' as const,
    secret: id.padEnd(40, 'x'),
  }))
  await using gateway = await startAdminGateway({ store, tokens })
  const headersOf = ({ secret }: { secret: string }) => ({ authorization: `Bearer ${secret}` })
  const exportAs = (token: { secret: string }) =>
    fetch(`${gateway.adminUrl}/audit.ndjson`, { headers: headersOf(token) })
  const slowly = async (token: { secret: string }) => {
    const one = request(`${gateway.adminUrl}/audit.ndjson`, { headers: headersOf(token) }).end()
    await new Promise((resolve) => one.once('response', (two) => resolve(two.pause())))
    return one
  }
  const slow = [await slowly(tokens[0]!)]
  // Each has one place, so that no one takes all.
  expect((await exportAs(tokens[0]!)).status).toBe(429)
  for (const token of tokens.slice(1, 4)) slow.push(await slowly(token))
  expect((await exportAs(tokens[4]!)).status).toBe(429)
  let before = -1
  let looksAlike = 0
  await until(() => {
    looksAlike = pages.read === before ? looksAlike + 1 : 0
    before = pages.read
    return looksAlike === 40
  })
  expect(pages.read).toBeLessThan(4 * 39)
  for (const one of slow) one.destroy()
  await until(async () => {
    const response = await exportAs(tokens[0]!)
    await response.body?.cancel()
    return response.status === 200
  })
})

test('an export ends where the log ended as it began, and when its time is over', async () => {
  const memory = await openStore('memory:', { cwd: '/' })
  await fill(memory, 1_000)
  let pages = 0
  let grows = false
  let stuck: Promise<void> | undefined
  const store: Store = {
    ...memory,
    records: (name, options) => {
      const records = memory.records(name, options)
      if (name !== 'audit') return records as never
      const list: typeof records.list = async (page) => {
        // The log grows by a page whenever one is read.
        if (grows && page?.newestFirst !== true && ++pages < 50)
          await fill(memory, 500, 1e12 + pages * 1_000)
        if (page?.after !== undefined) await stuck
        return await records.list(page)
      }
      return { ...records, list } as never
    },
  }
  const start = (exportMs: number) =>
    startAdminGateway({ store, now: () => 5_000, adminLimits: { exportMs, exportsPerMinute: 2 } })
  await using gateway = await start(60_000)
  await using hasty = await start(50)
  grows = true
  const text = await (await exportOf(gateway)).text()
  expect(text.trimEnd().split('\n')).toHaveLength(1_001)
  grows = false
  let release = () => {}
  stuck = new Promise((resolve) => void (release = resolve))
  await expect(exportOf(hasty).then((response) => response.text())).rejects.toThrow()
  release()
  expect((await exportOf(gateway)).status).toBe(200)
  expect((await exportOf(gateway)).status).toBe(429)
})

test('an export whose store fails is cut off, never complete', async () => {
  const { store, pages } = watched(await openStore('memory:', { cwd: '/' }))
  await fill(store, 5_000)
  await using gateway = await startAdminGateway({ store })
  pages.least = 3
  const response = await exportOf(gateway)
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow()
  expect((await exportOf(gateway)).status).toBe(503)
})
