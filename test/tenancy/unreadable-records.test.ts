import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

import { createClient } from '@redis/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { setEnabled } from '../../src/stores/operator-states.ts'
import { databaseFile } from '../../src/stores/file/database.ts'
import { createKey, getKey, listKeys, revokeKey, rotateKey } from '../../src/stores/keys.ts'
import { openStore } from '../../src/stores/open.ts'
import type { Store } from '../../src/stores/store.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { type TestGateway, createTestGateway } from '../../src/testing/gateway.ts'
import { type TestRedis, startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { temporaryDirectory } from '../stores/temporary.ts'

/** A store, and a way to put any text where a record stands. */
interface Damageable extends AsyncDisposable {
  readonly store: Store
  damage(namespace: string, id: string): Promise<void>
}

let redis: TestRedis
beforeAll(async () => void (redis = await startRedis()))
afterAll(() => redis[Symbol.asyncDispose]())

const stores: Record<string, () => Promise<Damageable>> = {
  'a value of another shape': () => openMemory([null]),
  'no value': () => openMemory(null),
  'a broken text in a file': async () => {
    const directory = await temporaryDirectory()
    const store = await openStore(`file:${directory.path}`, { cwd: '/' })
    return {
      store,
      async damage(namespace, id) {
        using database = new DatabaseSync(databaseFile(directory.path))
        const update = `UPDATE "records_${namespace}" SET envelope = '{"val' WHERE id = ?`
        expect(database.prepare(update).run(id).changes).toBe(1)
      },
      async [Symbol.asyncDispose]() {
        await store.close()
        await directory[Symbol.asyncDispose]()
      },
    }
  },
  'a broken text in Redis': () => openRedis((client, key) => client.set(key, 'null')),
  'a list in Redis': () =>
    openRedis(async (client, key) => {
      await client.del(key)
      await client.lPush(key, 'x')
    }),
}

async function openMemory(value: unknown): Promise<Damageable> {
  const store = await openStore('memory:', { cwd: '/' })
  const damage = (namespace: string, id: string) =>
    store.records(namespace, { listed: namespace !== 'bindings' }).set(id, value)
  return { store, damage, [Symbol.asyncDispose]: () => store.close() }
}

describe.for(Object.entries(stores))('%s', ([, open]) => {
  test('in the place of a key stops no revocation, no new key and no other key', async () => {
    await using opened = await open()
    const { store } = opened
    const kept = await createKey(store, { id: 'a-kept' })
    const damaged = await createKey(store, { id: 'b-damaged' })
    const revoked = await createKey(store, { id: 'c-revoked' })
    await using scene = await start(store)
    await opened.damage('keys', 'b-damaged')

    await revokeKey(store, 'c-revoked')
    await until(async () => (await scene.ask(revoked.secret)) === 401)
    const added = await createKey(store, { id: 'd-added' })
    expect(await scene.ask(added.secret)).toBe(200)
    expect(await scene.ask(kept.secret)).toBe(200)
    expect(await scene.ask('invented')).toBe(401)
    await until(async () => (await scene.ask(damaged.secret)) === 401)

    expect(
      logged(scene.gateway, 'records of API keys are damaged; these keys are rejected'),
    ).toEqual([expect.objectContaining({ keys: ['b-damaged'] })])
    expect(await counted(scene.gateway)).toMatchObject({ keys: { unreadable: 1 } })
    const listed = await listKeys(store)
    expect(listed.map(({ id, disabled }) => [id, disabled])).toEqual([
      ['a-kept', false],
      ['b-damaged', true],
      ['c-revoked', true],
      ['d-added', false],
    ])
    expect(await getKey(store, 'b-damaged')).toMatchObject({ disabled: true, unreadable: true })
    await expect(rotateKey(store, 'b-damaged')).rejects.toThrow('damaged')
  })

  test('in the place of the state of an account changes no other account', async () => {
    await using opened = await open()
    const { store } = opened
    await setEnabled(store, 'account', 'a', true)
    await setEnabled(store, 'account', 'other', false)
    await using scene = await start(store)
    const { secret } = await createKey(store, { id: 'mine' })
    await opened.damage('account-states', 'a')

    await setEnabled(store, 'account', 'b', false)
    await until(() =>
      scene.gateway.log.some(
        ({ msg, off }) => msg === 'accounts enabled/disabled' && String(off) === 'b',
      ),
    )
    // The last known state stays.
    expect(await scene.ask(secret)).toBe(200)
    await setEnabled(store, 'account', 'a', false)
    await until(async () => (await scene.ask(secret)) === 503)
  })

  test('in the place of a response is a failure of this response alone', async () => {
    await using opened = await open()
    const { store } = opened
    const { secret } = await createKey(store, { id: 'mine' })
    await using scene = await start(store)
    for (const id of ['resp_1', 'resp_2']) {
      scene.id = id
      expect(await scene.ask(secret)).toBe(200)
    }
    await opened.damage('bindings', 'response mine resp_1')

    expect(await scene.ask(secret, { previous_response_id: 'resp_1' })).toBe(503)
    expect(await scene.ask(secret, { previous_response_id: 'resp_2' })).toBe(200)
    expect(await scene.ask(secret)).toBe(200)
  })
})

test('in the place of a job it takes away no other job of the list', async () => {
  const store = await openStore('memory:', { cwd: '/' })
  const { secret } = await createKey(store, { id: 'mine' })
  await using scene = await start(store)
  scene.id = 'video_1'
  for (const prompt of ['one', 'two']) {
    expect(await scene.ask(secret, { prompt, input: undefined }, '/v1/videos')).toBe(200)
  }
  const jobs = store.records<unknown>('jobs', { listed: true })
  const [first] = await jobs.list()
  for (const damage of [null, 'x', { ...Object(first?.value), accountId: 7 }]) {
    await jobs.set(first?.id ?? '', damage)
    const listed = await fetch(`${scene.gateway.url}/v1/videos`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    expect(((await listed.json()) as { data: unknown[] }).data).toHaveLength(1)
  }
})

async function openRedis(
  damage: (client: ReturnType<typeof createClient>, key: string) => Promise<unknown>,
): Promise<Damageable> {
  const prefix = `${randomUUID()}:`
  const store = await openStore(`${redis.url}?prefix=${prefix}`, { cwd: '/' })
  const client = createClient({ url: redis.url })
  await client.connect()
  // A busy machine may take a while to connect.
  await until(() =>
    store
      .records('probe')
      .get('x')
      .then(
        () => true,
        () => false,
      ),
  )
  return {
    store,
    async damage(namespace, id) {
      const base = namespace === 'bindings' ? namespace : `{${namespace}}`
      expect(await client.exists(`${prefix}${base}:${id}`)).toBe(1)
      await damage(client as never, `${prefix}${base}:${id}`)
    },
    async [Symbol.asyncDispose]() {
      client.destroy()
      await store.close()
    },
  }
}

/** A gateway on the store, and an account that names every response `id`. */
async function start(store: Store) {
  await using starting = new AsyncDisposableStack()
  const scene = { id: 'resp_0' }
  const account = starting.use(
    await startFakeAccount((response, request) =>
      answerJson({ id: scene.id, object: 'response', status: 'completed', output: [] })(
        response,
        request,
      ),
    ),
  )
  const settings = { provider: 'openai', baseUrl: `${account.url}/v1`, models: ['m'] }
  const speaks = ['responses', 'videos']
  const gateway = starting.use(
    await createTestGateway({ store, keys: [], accounts: [{ id: 'a', ...settings, speaks }] }),
  )
  const started = starting.move()
  return Object.assign(scene, {
    gateway,
    async ask(secret: string, fields: object = {}, path = '/v1/responses'): Promise<number> {
      const response = await fetch(gateway.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', input: 'hi', ...fields }),
      })
      await response.text()
      return response.status
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  })
}

function logged({ log }: TestGateway, message: string) {
  return log.filter(({ msg }) => msg === message)
}

async function counted({ url }: TestGateway): Promise<unknown> {
  return (await fetch(`${url}/readyz?verbose`)).json()
}
