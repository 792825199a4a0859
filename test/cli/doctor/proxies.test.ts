import { randomBytes } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, request } from 'node:http'
import { gzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import {
  type FakeAccount,
  type TestGateway,
  createTestGateway,
  startFakeAccount,
} from '../../../src/testing/index.ts'
import { openMemoryStore } from '../../../src/stores/memory.ts'
import { permitProxyTest, proxyTestHeader } from '../../../src/stores/proxy-tests.ts'
import { type Store, StoreUnavailable } from '../../../src/stores/store.ts'
import { type Place, openPlace } from '../dragoman.ts'
import { diagnose } from './findings.ts'

/** What a proxy does with the answer of the gateway. */
type Passing = (answer: IncomingMessage, response: ServerResponse) => void

/** A proxy before a gateway, which removes the path `/llm`. */
function startProxy(target: string, pass: Passing): Promise<FakeAccount> {
  return startFakeAccount((response, { method, url, headers }) => {
    const options = { method, headers: { ...headers, host: new URL(target).host } }
    request(target + url.replace(/^\/llm/, ''), options, (answer) => pass(answer, response)).end()
  })
}

const asItArrives: Passing = (answer, response) => {
  response.writeHead(answer.statusCode ?? 502, answer.headers)
  answer.pipe(response)
}

/** Reads an answer to its end before it passes it on. */
function whole(change: (body: Buffer) => Buffer, headers: Record<string, string> = {}): Passing {
  return (answer, response) => {
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.on('end', () => {
      response.writeHead(answer.statusCode ?? 502, headers)
      response.end(change(Buffer.concat(chunks)))
    })
  }
}

/** A gateway and the place of its operator, who share a store. */
async function serve(): Promise<{ place: Place; gateway: TestGateway } & AsyncDisposable> {
  const stack = new AsyncDisposableStack()
  const place = stack.use(await openPlace())
  const store = `file:${place.path}/.dragoman`
  const gateway = stack.use(await createTestGateway({ store }))
  const listen = { port: Number(new URL(gateway.url).port) }
  await place.write(
    'dragoman.config.json',
    JSON.stringify({ store, listen, admin: { port: 0 }, accounts: [] }),
  )
  return { place, gateway, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test('proxies that hold streams back, change or refuse them are found', async () => {
  await using served = await serve()
  const { place, gateway } = served
  const passings: Record<string, Passing> = {
    passing: asItArrives,
    holding: whole((body) => body),
    compressing: whole((body) => gzipSync(body), { 'content-encoding': 'gzip' }),
    cutting: (answer, response) => {
      response.writeHead(200, answer.headers)
      answer.once('data', (chunk: Buffer) => response.end(chunk))
    },
    crowded: (answer, response) => {
      answer.resume()
      response.writeHead(429).end()
    },
    asking: (answer, response) => {
      answer.resume()
      response.writeHead(302, { location: 'https://login.example/hush' }).end()
    },
  }
  await using proxies = new AsyncDisposableStack()
  const results = await Promise.all(
    Object.entries(passings).map(async ([name, pass]) => {
      const proxy = proxies.use(await startProxy(gateway.url, pass))
      const findings = await diagnose(place, `--public-url ${proxy.url}/llm`)
      return [name, findings.get('proxies')] as const
    }),
  )
  expect(Object.fromEntries(results)).toMatchObject({
    passing: { status: 'OK', message: expect.stringContaining('arrive as they are sent') },
    holding: { status: 'FAIL', message: expect.stringContaining('holds streams back') },
    compressing: { status: 'FAIL', message: expect.stringContaining('compresses') },
    cutting: { status: 'FAIL', message: expect.stringContaining('cuts the stream off') },
    crowded: { status: 'WARN', message: expect.stringContaining('not tested') },
    asking: { status: 'FAIL', message: expect.stringContaining('302') },
  })
})

test('a public address that leads elsewhere is a failure where the gateway runs, else not yet', async () => {
  await using served = await serve()
  const { place } = served
  await using stranger = await createTestGateway({})
  const at = `--public-url ${stranger.url}`
  expect((await diagnose(place, at)).get('proxies')).toMatchObject({
    status: 'FAIL',
    message: expect.stringContaining('no gateway on this store (404)'),
  })
  expect((await diagnose(place, `${at} --port 0`)).get('proxies')).toMatchObject({ status: 'WARN' })
  const memory = await diagnose(place, `${at} --store memory:`)
  expect(memory.get('proxies')).toMatchObject({ status: 'WARN' })
})

/** A store that counts its reads, and fails on demand. */
function countReads(store: Store): Store & { reads: number; isAway: boolean } {
  const counting = {
    ...store,
    reads: 0,
    isAway: false,
    records: <T>(namespace: string, options?: object) => {
      const records = store.records<T>(namespace, options)
      if (namespace !== 'proxy-tests') return records
      return {
        ...records,
        get(id: string) {
          counting.reads++
          if (counting.isAway) return Promise.reject(new StoreUnavailable('It is away.'))
          return records.get(id)
        },
      }
    },
  }
  return counting
}

async function ask(url: string, secret?: string): Promise<{ status: number; body: string }> {
  const headers = secret === undefined ? {} : { [proxyTestHeader]: secret }
  const response = await fetch(`${url}/proxy-test`, { headers })
  const body = (await response.text()).replaceAll(/req_\w+|"request_id":"[^"]*"/g, '')
  return { status: response.status, body }
}

test('strangers get no stream, learn nothing and cost next to nothing', async () => {
  const store = countReads(openMemoryStore())
  let now = 1_000_000
  await using gateway = await createTestGateway({ store, now: () => now })
  const unknown = await fetch(`${gateway.url}/proxy-tesx`)
  const expected = (await unknown.text()).replace('/proxy-tesx', '/proxy-test')
  const withoutSecret = await ask(gateway.url)
  expect(withoutSecret.status).toBe(404)
  const message = (text: string) => JSON.parse(text).error.message as string
  expect(message(withoutSecret.body)).toBe(message(expected))
  for (const bad of ['x', '../'.repeat(20), 'a'.repeat(4_000)])
    expect((await ask(gateway.url, bad)).status).toBe(404)
  expect(store.reads).toBe(0)

  const secret = await permitProxyTest(store)
  const served = await Promise.all([1, 2, 3].map(() => ask(gateway.url, secret)))
  expect(served.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404])
  store.isAway = true
  expect((await ask(gateway.url, secret)).status).toBe(503)
  store.isAway = false
  // A second of the gateway's clock permits ten looks.
  for (let tries = 0; tries < 20; tries++) {
    const { status } = await ask(gateway.url, randomBytes(32).toString('base64url'))
    expect([tries, status]).toEqual([tries, tries < 6 ? 404 : 429])
  }
  expect(store.reads).toBe(10)
  // A permit that was not looked up is not unknown, and works in the next second.
  const late = await permitProxyTest(store)
  expect((await ask(gateway.url, late)).status).toBe(429)
  now += 1_000
  expect((await ask(gateway.url, late)).status).toBe(200)
})
