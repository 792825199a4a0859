import { expect, test } from 'vitest'

import { createAuditLog } from '../../src/audit/log.ts'
import { announceFirstToken } from '../../src/cli/admin-tokens/first-token.ts'
import { createTerminal } from '../../src/cli/run.ts'
import { welcome } from '../../src/cli/welcome.ts'
import { resolveSettings } from '../../src/configuration/resolve.ts'
import { listAdminTokens } from '../../src/stores/admin-tokens.ts'
import { listKeys } from '../../src/stores/keys.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { type Records, type Store, StoreUnavailable } from '../../src/stores/store.ts'
import { breakable } from '../../src/testing/breakable-store.ts'

function announce(store: Store, isTTY = true, config = {}): Promise<string> {
  const sink = { writableLength: 0, isTTY, write: () => true }
  const terminal = createTerminal({ stdout: sink, stderr: sink, env: {}, cwd: '.' })
  const settings = resolveSettings(config, { env: {} })
  return announceFirstToken(settings, store, 'http://127.0.0.1:1', { options: {}, terminal })
}

test('off a terminal no admin token is created or printed, which logs would keep', async () => {
  const store = openMemoryStore()
  const message = await announce(store, false)
  expect(message).toMatch(
    /^The console: http:\/\/127\.0\.0\.1:1\/console\/\. No admin token is valid, .*`.*admin-tokens create`\.$/,
  )
  expect(message).not.toContain('dga_')
  expect(await listAdminTokens(store)).toEqual([])
  expect(await announce(store)).toMatch(/^ {2}dga_/m)
})

test('a restart says where the admin API is and which command makes a token, since the first is shown once', async () => {
  const store = openMemoryStore()
  await announce(store)
  for (const isTTY of [true, false]) {
    const message = await announce(store, isTTY)
    expect(message).toContain('The console: http://127.0.0.1:1/console/')
    expect(message).toMatch(/`(npx? \S+ (-- )?|dragoman )admin-tokens create`/)
    expect(message).not.toContain('dga_')
  }
})

test('a gateway whose configuration leaves the console out does not name it', async () => {
  const store = openMemoryStore()
  for (const isTTY of [true, false, true]) {
    const message = await announce(store, isTTY, { admin: { console: false } })
    expect(message).toContain('GraphiQL: http://127.0.0.1:1/graphiql')
    expect(message).not.toContain('console/')
  }
})

test('of replicas that start at once, one creates and shows the token', async () => {
  const store = openMemoryStore()
  const messages = await Promise.all([announce(store), announce(store), announce(store)])
  expect(messages.filter((text) => /dga_/.test(text))).toHaveLength(1)
  expect(await listAdminTokens(store)).toHaveLength(1)
  const audit = await createAuditLog({ store }).list({ limit: 10 })
  expect(audit.filter(({ result }) => result === 'DONE')).toHaveLength(1)
})

test('a store that is away prevents no start, and a token without a record is not created', async () => {
  const store = breakable(openMemoryStore())
  store.broken.writes = true
  expect(await announce(store)).toMatch(/console\/\. The store is unavailable/)
  store.broken.writes = false
  expect(await listAdminTokens(store)).toEqual([])
  store.broken.reads = true
  expect(await announce(store)).toMatch(/console\/\. The store is unavailable/)
})

test('a token is shown although the result of its act cannot be recorded', async () => {
  const store = openMemoryStore()
  const broken = breakable(store)
  const tokens = store.records('admin-tokens', { listed: true })
  const breaking: Store = {
    ...broken,
    records: <T>(...[namespace, options]: Parameters<Store['records']>) =>
      namespace === 'admin-tokens'
        ? ({
            ...tokens,
            async add(...entry: Parameters<typeof tokens.add>) {
              const isNew = await tokens.add(...entry)
              broken.broken.writes = true
              return isNew
            },
          } as unknown as Records<T>)
        : broken.records<T>(namespace, options),
  }
  expect(await announce(breaking)).toMatch(/^ {2}dga_/m)
  expect(await createAuditLog({ store }).list({ limit: 10 })).toMatchObject([{ result: 'STARTED' }])
})

test('the API key of a first start is not created without an audit record', async () => {
  const store = openMemoryStore()
  const forgetful: Store = {
    ...store,
    records: <T>(...[namespace, options]: Parameters<Store['records']>) => {
      const opened = store.records<T>(namespace, options)
      const set = () => Promise.reject(new StoreUnavailable('It is broken on purpose.'))
      return namespace === 'audit' ? { ...opened, set } : opened
    },
  }
  await expect(welcome(forgetful, {}, {})).rejects.toThrow(StoreUnavailable)
  expect(await listKeys(store)).toEqual([])
  const say = await welcome(store, {}, {})
  expect(say('http://127.0.0.1:1')).toContain('This is your API key.')
  expect(await createAuditLog({ store }).list({ limit: 10 })).toMatchObject([
    { action: 'key.create', target: { id: 'bootstrap' }, result: 'DONE' },
  ])
})
