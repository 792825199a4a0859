import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { answerJson, createTestGateway, startFakeAccount } from '../../../src/testing/index.ts'
import { startRedis } from '../../../src/testing/redis.ts'
import { type Place, openPlace } from '../dragoman.ts'
import { type Findings, diagnose } from './findings.ts'
import { listenSilently } from './silent.ts'

const models = answerJson({ object: 'list', data: [] })
const wrongKey = answerJson(
  {
    error: { message: 'Wrong key hush-1', code: 'invalid_api_key', type: 'invalid_request_error' },
  },
  { status: 401 },
)

function accountAt(id: string, url: string, more: object = {}) {
  return { id, provider: 'openai', baseUrl: `${url}/v1`, apiKey: 'hush-1', models: ['*'], ...more }
}

/** Ports of their own, so that other programs of the machine do not matter. */
const anyPorts = { listen: { port: 0 }, admin: { port: 0 } }

async function placeWith(configuration: object): Promise<Place> {
  const place = await openPlace()
  await place.write('dragoman.config.json', JSON.stringify({ ...anyPorts, ...configuration }))
  return place
}

function statusesOf(findings: Findings): Record<string, string> {
  return Object.fromEntries([...findings].map(([check, { status }]) => [check, status]))
}

test('a place in order has no failure, costs nothing and stays as it is', async () => {
  await using account = await startFakeAccount(models)
  await using place = await placeWith({
    accounts: [accountAt('up', account.url), accountAt('off', account.url, { enabled: false })],
  })
  const before = await readdir(place.path)
  const findings = await diagnose(place)
  expect(statusesOf(findings)).toMatchObject({
    node: 'OK',
    configuration: 'OK',
    'port of the API': 'OK',
    'admin port': 'OK',
    spool: 'OK',
    store: 'OK',
    'account up': 'OK',
    'account off': 'OK',
    telemetry: 'OK',
    proxies: 'OK',
    clock: 'OK',
  })
  expect(findings.get('store')?.message).toContain('has no store yet')
  expect(findings.get('clock')?.message).toContain('account up')
  expect(await readdir(place.path)).toEqual(before)
  // One call, which lists models: nothing that an account bills.
  expect(account.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /v1/models'])
  expect(account.requests[0]?.headers.authorization).toBe('Bearer hush-1')
  const { stdout } = await place.call('doctor')
  expect(stdout).toMatch(/^OK {4}account up {7}It accepts its credential \(\w+, \d+ ms\)\.$/m)
})

test('an account that wants signed requests is asked through the plugin that signs them', async () => {
  await using account = await startFakeAccount((response, request) =>
    (request.headers['x-signature'] === '/v1/models' ? models : wrongKey)(response, request),
  )
  await using place = await placeWith({
    accounts: [accountAt('signed', account.url)],
    plugins: [{ use: './signing.mjs' }],
  })
  await place.write(
    'signing.mjs',
    `export default {
      name: 'signing',
      onAttempt: ({ outbound, next }) =>
        next({ ...outbound, headers: { ...outbound.headers, 'x-signature': outbound.path } }),
    }`,
  )
  expect(statusesOf(await diagnose(place))).toMatchObject({ 'account signed': 'OK' })
})

test('accounts that refuse, fail or cannot be reached are told apart, each with a fix', async () => {
  await using refusing = await startFakeAccount(wrongKey)
  await using failing = await startFakeAccount(answerJson({ error: 'hush' }, { status: 503 }))
  await using restricted = await startFakeAccount(answerJson({}, { status: 404 }))
  await using ahead = await startFakeAccount((response) => {
    const date = new Date(Date.now() + 3_600_000).toUTCString()
    response.writeHead(200, { date }).end('{}')
  })
  await using place = await placeWith({
    accounts: [
      accountAt('refusing', refusing.url),
      accountAt('failing', failing.url),
      accountAt('restricted', restricted.url),
      accountAt('ahead', ahead.url),
      accountAt('closed', 'http://127.0.0.1:1'),
    ],
  })
  const findings = await diagnose(place)
  expect(statusesOf(findings)).toMatchObject({
    'account refusing': 'FAIL',
    'account failing': 'WARN',
    'account restricted': 'WARN',
    'account ahead': 'OK',
    'account closed': 'FAIL',
    // One account with a wrong clock does not make this machine's wrong.
    clock: 'OK',
  })
  expect(findings.get('account closed')?.message).toBe('The host refuses the connection.')
})

test('a clock that all accounts contradict is wrong', async () => {
  await using account = await startFakeAccount((response) => {
    const date = new Date(Date.now() - 3_600_000).toUTCString()
    response.writeHead(200, { date }).end('{}')
  })
  await using place = await placeWith({ accounts: [accountAt('up', account.url)] })
  const clock = (await diagnose(place)).get('clock')
  expect(clock).toMatchObject({ status: 'FAIL' })
  expect(clock?.message).toMatch(/^It is 3\d{3}\.\d s ahead of the clock of account up/)
})

test('a first start has nothing to look at, and no other clock', async () => {
  await using place = await openPlace()
  const findings = await diagnose(place, '--port 0 --admin-port 0')
  expect(statusesOf(findings)).toMatchObject({ 'account sandbox': 'OK', clock: 'OK' })
})

test('what never answers is a failure, and the command ends', async () => {
  await using silent = await listenSilently()
  const url = `http://127.0.0.1:${silent.port}`
  await using place = await placeWith({
    store: `redis://:hush@127.0.0.1:${silent.port}`,
    listen: { port: silent.port },
    publicUrl: url,
    accounts: [accountAt('silent', url)],
  })
  const findings = await diagnose(place, '', { OTEL_EXPORTER_OTLP_ENDPOINT: url })
  expect(statusesOf(findings)).toMatchObject({
    'port of the API': 'FAIL',
    store: 'FAIL',
    'account silent': 'FAIL',
    telemetry: 'FAIL',
    proxies: 'WARN',
    clock: 'WARN',
  })
  expect(findings.get('port of the API')?.message).toContain('Another program')
})

test('a configuration with problems does not keep the other checks from running', async () => {
  await using account = await startFakeAccount(models)
  await using place = await placeWith({
    lisen: {},
    accounts: [accountAt('up', account.url), { id: 'b', provider: 'opnai', models: ['*'] }],
  })
  const findings = await diagnose(place)
  expect(statusesOf(findings)).toMatchObject({ configuration: 'FAIL', spool: 'OK' })
  const noStore = await diagnose(place, '--store postgres://u:hush@h/x')
  expect(statusesOf(noStore)).toMatchObject({ configuration: 'FAIL', store: 'FAIL' })
  await place.write('dragoman.config.json', '{ "keys": "hush')
  const unreadable = await diagnose(place, '', { OTEL_EXPORTER_OTLP_ENDPOINT: 'hush' })
  expect(statusesOf(unreadable)).toEqual({
    node: 'OK',
    'open files': expect.any(String),
    configuration: 'FAIL',
    telemetry: 'FAIL',
  })
  expect((await place.call('doctor --workers many')).code).toBe(1)
})

test('a store that is damaged is a failure, and no reason to ask no account', async () => {
  await using account = await startFakeAccount(models)
  await using place = await placeWith({ accounts: [accountAt('up', account.url)] })
  await place.call('keys create a')
  expect((await diagnose(place)).get('store')?.message).toContain('is readable and writable')
  await writeFile(join(place.path, '.dragoman/store.sqlite'), 'no database '.repeat(999))
  const findings = await diagnose(place)
  expect(statusesOf(findings)).toMatchObject({ store: 'FAIL', 'account up': 'OK' })
})

test('a Redis shows its clock, and whether it drops records', async () => {
  await using redis = await startRedis('--requirepass', 'hush')
  const store = `redis://:hush@127.0.0.1:${redis.port}`
  await using place = await placeWith({ store })
  const sound = await diagnose(place)
  expect(statusesOf(sound)).toMatchObject({ store: 'OK', clock: 'OK' })
  expect(sound.get('clock')?.message).toContain('of the store')
  const wrong = await diagnose(place, `--store redis://:hush-2@127.0.0.1:${redis.port}`)
  expect(wrong.get('store')).toMatchObject({
    status: 'FAIL',
    message: expect.stringContaining('WRONGPASS'),
  })

  await using dropping = await startRedis(
    '--maxmemory',
    '64mb',
    '--maxmemory-policy',
    'allkeys-lru',
  )
  const store2 = (await diagnose(place, `--store ${dropping.url}`)).get('store')
  expect(store2).toMatchObject({ status: 'WARN', fix: expect.stringContaining('noeviction') })
  // A user who may read and not write: the gateway could keep no binding.
  const rights = ['~*', '&*', '+@read', '+@connection', '+info', '+time']
  await dropping.command('ACL', 'SETUSER', 'reader', 'on', '>hush-3', ...rights)
  const reading = `--store redis://reader:hush-3@127.0.0.1:${dropping.port}`
  const found = await diagnose(place, `${reading} --public-url http://127.0.0.1:1`)
  expect(found.get('proxies')).toMatchObject({
    status: 'FAIL',
    message: expect.stringContaining('NOPERM'),
  })
  await using replica = await startRedis('--replicaof', `127.0.0.1 ${dropping.port}`)
  expect((await diagnose(place, `--store ${replica.url}`)).get('store')).toMatchObject({
    status: 'FAIL',
  })
})

test('a gateway that runs already holds its port by right', async () => {
  await using gateway = await createTestGateway({})
  await using place = await placeWith({ listen: { port: Number(new URL(gateway.url).port) } })
  expect((await diagnose(place)).get('port of the API')).toMatchObject({
    status: 'OK',
    message: expect.stringContaining('A gateway listens'),
  })
  const clash = await diagnose(place, '--host 192.0.2.1')
  expect(clash.get('port of the API')?.message).toContain('not an address of this machine')
})

test('collectors that the configuration names are asked, and none that it leaves out', async () => {
  await using collector = await startFakeAccount(answerJson({}))
  await using named = await startFakeAccount(answerJson({}))
  await using place = await placeWith({
    telemetry: {
      traces: { endpoint: named.url },
      metrics: { otlp: true },
      logs: { otlp: false },
    },
  })
  const env = {
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.url}/metrics`,
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${collector.url}/logs`,
  }
  expect((await diagnose(place, '', env)).get('telemetry')).toMatchObject({ status: 'OK' })
  expect(named.requests.map(({ url }) => url)).toEqual(['/v1/traces'])
  expect(collector.requests.map(({ url }) => url)).toEqual(['/metrics'])

  await place.write('dragoman.config.json', JSON.stringify({ telemetry: { traces: false } }))
  const off = await diagnose(place, '', { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  expect(off.get('telemetry')?.message).toContain('No collector')
  expect(collector.requests).toHaveLength(1)

  await named[Symbol.asyncDispose]()
  const away = { telemetry: { traces: { endpoint: named.url } } }
  await place.write('dragoman.config.json', JSON.stringify(away))
  expect((await diagnose(place)).get('telemetry')).toMatchObject({
    status: 'FAIL',
    fix: expect.stringContaining('telemetry.traces.endpoint') as string,
  })
})

test('all signals need HTTP', async () => {
  await using collector = await startFakeAccount(answerJson({}))
  await using place = await placeWith({})
  const env = {
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  }
  expect((await diagnose(place, '', env)).get('telemetry')).toMatchObject({
    status: 'FAIL',
    fix: expect.stringContaining('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') as string,
  })
  expect(collector.requests).toHaveLength(0)
})

test('collectors get an empty export with the headers that are set', async () => {
  await using collector = await startFakeAccount(answerJson({}))
  await using refusing = await startFakeAccount(answerJson({}, { status: 401 }))
  await using place = await placeWith({})
  const { host } = new URL(collector.url)
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://user:hush@${host}/otlp/?hush`.replace('?hush', ''),
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=hush%20a, bad name=hush',
    OTEL_LOGS_EXPORTER: 'otlp,console',
  }
  expect((await diagnose(place, '', env)).get('telemetry')).toMatchObject({ status: 'OK' })
  const sent = collector.requests.toSorted((a, b) => (a.url > b.url ? -1 : 1))
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /otlp/v1/traces',
    'POST /otlp/v1/logs',
  ])
  expect(sent[0]?.headers).toMatchObject({
    'x-tenant': 'hush a',
    'content-type': 'application/x-protobuf',
    authorization: `Basic ${Buffer.from('user:hush').toString('base64')}`,
  })
  expect(sent[0]?.body).toHaveLength(0)

  const own = { ...env, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${refusing.url}/hush` }
  expect((await diagnose(place, '', own)).get('telemetry')).toMatchObject({
    status: 'FAIL',
    fix: expect.stringContaining('OTEL_EXPORTER_OTLP_HEADERS'),
  })
  expect(refusing.requests.map(({ url }) => url)).toEqual(['/hush'])
  const off = await diagnose(place, '', { ...own, OTEL_SDK_DISABLED: 'true' })
  expect(off.get('telemetry')).toMatchObject({ status: 'OK' })
  expect(refusing.requests).toHaveLength(1)
})
