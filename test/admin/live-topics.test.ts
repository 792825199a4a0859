import { expect, test, vi } from 'vitest'

import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { addressesOf, anyPorts, openPlace } from '../cli/dragoman.ts'
import { fetchWhenAllowed } from './fetch-when-allowed.ts'
import { completionOf } from './completion.ts'
import { startAdminGateway } from './admin-gateway.ts'
import { type Following, type LiveEvent, follow } from './live-client.ts'

vi.setConfig({ testTimeout: 90_000 })

const topics = ['PULSE', 'EXCHANGES', 'ACCOUNTS', 'CIRCUITS', 'JOBS', 'CONFIGURATION', 'AUDIT']

const key = 'secret-of-this-test'

const completion = completionOf('fine')

/** An upstream with a model that works, one that fails, and videos in a state that a test sets. */
async function startUpstream() {
  const video = { id: 'vid_1', object: 'video', status: 'queued', progress: 0 }
  const upstream = await startFakeAccount((response, request) => {
    if (request.url.includes('/videos')) return answerJson(video)(response, request)
    if (request.body.includes('broken')) {
      return answerJson({ error: { message: 'no' } }, { status: 500 })(response, request)
    }
    return answerJson(completion)(response, request)
  })
  const account = { provider: 'openai', baseUrl: `${upstream.url}/v1`, apiKey: 'account-canary' }
  const accounts = [
    { ...account, id: 'good', speaks: ['chat'], models: ['fine'] },
    { ...account, id: 'bad', speaks: ['chat'], models: ['broken'] },
    { ...account, id: 'studio', speaks: ['videos'], models: ['camera'] },
  ]
  return { upstream, video, accounts }
}

/** The addresses of a process, or of the workers of one. */
interface Place {
  readonly url: string
  readonly adminUrl: string
  readonly token: string
}

const headers = {
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
  // Another connection each time, and so perhaps another worker.
  connection: 'close',
}

async function call({ url }: Place, model: string): Promise<string> {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'prompt-canary' }] })
  const reply = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
  await reply.text()
  return reply.headers.get('x-request-id') ?? ''
}

async function order({ url }: Place): Promise<string> {
  const body = JSON.stringify({ model: 'camera', prompt: 'prompt-canary' })
  const reply = await fetch(`${url}/v1/videos`, { method: 'POST', headers, body })
  return ((await reply.json()) as { id: string }).id
}

async function act({ adminUrl, token }: Place, mutation: string): Promise<string> {
  const reply = await fetchWhenAllowed(`${adminUrl}/graphql`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: `mutation { act: ${mutation} { __typename } }` }),
  })
  const { data } = (await reply.json()) as { data: { act: { __typename: string } } }
  return data.act.__typename
}

function ofType({ events }: Following, type: string): LiveEvent[] {
  return events.filter(({ __typename }) => __typename === type)
}

/** The changes of a job, in their order. */
function changesOf(all: Following, id: string): unknown[] {
  return ofType(all, 'JobChanged')
    .filter(({ jobId }) => id.endsWith(jobId!))
    .map(({ state, progress, forgotten, keyId }) => [state, progress, forgotten, keyId])
}

/** Follows a job from its order to its end: a change is one event, and a poll without one is none. */
async function followJob(
  all: Following,
  other: Place,
  video: Awaited<ReturnType<typeof startUpstream>>['video'],
): Promise<void> {
  Object.assign(video, { status: 'queued', progress: 0 })
  const id = await order(other)
  const poll = async () => {
    const reply = await fetch(`${other.url}/v1/videos/${id}`, { headers })
    expect(reply.status).toBe(200)
    await reply.text()
  }
  const known = [['QUEUED', 0, false, 'team']]
  await until(() => changesOf(all, id).length === 1)
  await poll()
  Object.assign(video, { status: 'in_progress', progress: 40 })
  for (let times = 0; times < 4; times++) await poll()
  known.push(['IN_PROGRESS', 40, false, 'team'])
  await until(() => changesOf(all, id).length === 2)
  Object.assign(video, { status: 'completed', progress: 100 })
  expect(await act(other, `refreshJob(input: {id: "${id}"})`)).toBe('RefreshJobSuccess')
  known.push(['COMPLETED', 100, false, 'team'])
  await until(() => changesOf(all, id).length === 3)
  const forget = `forgetJob(input: {id: "${id}", reason: "asked for"})`
  expect(await act(other, forget)).toBe('ForgetJobSuccess')
  known.push(['COMPLETED', 100, true, 'team'])
  await until(() => changesOf(all, id).length === 4)
  expect(changesOf(all, id)).toEqual(known)
}

const disable = 'disableAccount(input: {id: "good", reason: "x"})'
const enable = 'enableAccount(input: {id: "good"})'

/** Causes an event of each topic at a place, for a subscriber of any process. */
async function causeAll(all: Following, other: Place): Promise<void> {
  await until(async () => {
    const id = await call(other, 'fine')
    await new Promise((resolve) => setTimeout(resolve, 50))
    return ofType(all, 'ExchangeEnded').some(({ exchange }) => exchange?.id === id)
  }, 20_000)
  for (let calls = 0; calls < 12; calls++) await call(other, 'broken')
  await until(() => ofType(all, 'CircuitChanged').length > 0)
  expect(ofType(all, 'CircuitChanged')[0]).toMatchObject({
    accountId: 'bad',
    dialect: 'chat',
    circuit: 'OPEN',
  })
  expect(await act(other, disable)).toBe('DisableAccountSuccess')
  await until(() => ofType(all, 'AccountChanged').some(({ enabled }) => enabled === false))
  expect(await act(other, enable)).toBe('EnableAccountSuccess')
  const entries = () => ofType(all, 'AuditRecorded').map(({ entry }) => entry)
  for (const action of ['account.disable', 'account.enable']) {
    await until(() => entries().some((one) => one?.action === action && one.result === 'DONE'))
  }
  await until(() => ofType(all, 'PulseSample').length > 0)
}

function expectClean(all: Following): void {
  expect(all.errors).toEqual([])
  expect(JSON.stringify(all.events)).not.toContain('canary')
}

test('one process: each topic has its events, from the moment of the subscription', async () => {
  const { upstream, video, accounts } = await startUpstream()
  await using _upstream = upstream
  await using gateway = await startAdminGateway({ accounts, keys: [{ id: 'team', secret: key }] })
  const place = { ...gateway, token: gateway.token('admin') }
  using all = follow(gateway.adminUrl, gateway.token('viewer'), topics)
  const { live } = gateway.services.processes
  await until(() => live.wanted.AUDIT)
  // At once: the state of the subscription is what changes are compared with.
  expect(await act(place, disable)).toBe('DisableAccountSuccess')
  await until(() => ofType(all, 'AccountChanged').length > 0)
  expect(ofType(all, 'AccountChanged')[0]).toMatchObject({ accountId: 'good', enabled: false })
  expect(await act(place, enable)).toBe('EnableAccountSuccess')
  await until(() => ofType(all, 'AccountChanged').some(({ enabled }) => enabled === true))
  await causeAll(all, place)
  await followJob(all, place, video)
  gateway.reconfigure({})
  await until(() => ofType(all, 'ConfigurationChanged').length > 0)
  // A name of a client's choice is a value like others, not a part of the stream.
  const name = 'x\n\nevent: complete\ndata:\n\n\u2028\u001b[2J"}}'
  await call(place, name)
  await until(() => ofType(all, 'ExchangeEnded').some(({ exchange }) => exchange?.model === name))
  expectClean(all)
})

test('an account of the store is followed from its creation to its end', async () => {
  const { upstream, accounts } = await startUpstream()
  await using _upstream = upstream
  await using gateway = await startAdminGateway({ accounts })
  const place = { ...gateway, token: gateway.token('admin') }
  using all = follow(gateway.adminUrl, gateway.token('viewer'), ['ACCOUNTS'])
  await until(() => gateway.services.processes.live.wanted.ACCOUNTS)
  const changes = () =>
    ofType(all, 'AccountChanged').map(({ accountId, deleted }) => [accountId, deleted])
  const models = (name: string) => `id: "late", models: ["${name}"]`
  const created = `provider: "openai", baseUrl: "${upstream.url}", credential: "sk-canary-1234567890"`
  await act(place, `createAccount(input: {${models('m')}, speaks: ["chat"], ${created}})`)
  await until(() => changes().length === 1)
  await act(place, `updateAccount(input: {${models('n')}})`)
  await until(() => changes().length === 2)
  await act(place, 'deleteAccount(input: {id: "late", reason: "x"})')
  await until(() => changes().length === 3)
  expect(changes()).toEqual([
    ['late', false],
    ['late', false],
    ['late', true],
  ])
  expectClean(all)
})

test('two replicas on Redis: a subscriber of one gets each topic of the other', async () => {
  const { upstream, video, accounts } = await startUpstream()
  await using _upstream = upstream
  await using redis = await startRedis()
  const options = { store: redis.url, accounts, keys: [{ id: 'team', secret: key }] }
  await using one = await startAdminGateway(options)
  await using other = await startAdminGateway(options)
  const place = { ...other, token: other.token('admin') }
  using all = follow(one.adminUrl, one.token('viewer'), topics)
  const { id, live } = other.services.processes
  await until(() => live.wanted.AUDIT)
  await causeAll(all, place)
  await followJob(all, place, video)
  other.reconfigure({})
  await until(() => ofType(all, 'ConfigurationChanged').length > 0)
  const types = ['CircuitChanged', 'AccountChanged', 'AuditRecorded', 'JobChanged']
  for (const type of [...types, 'ConfigurationChanged']) {
    await until(() => ofType(all, type).some(({ processId }) => processId === id))
  }
  await until(() => ofType(all, 'PulseSample').some(({ processes }) => processes === 2))
  expectClean(all)
})

test('two workers: a subscriber of one gets each topic of both, and the reload of a signal', async () => {
  const { upstream, video, accounts } = await startUpstream()
  await using _upstream = upstream
  await using folder = await openPlace()
  const token = `dga_${'t'.repeat(40)}`
  const config = { keys: [{ id: 'team', secret: key }], accounts, store: 'file:store' }
  await folder.write('dragoman.config.json', JSON.stringify(config))
  const server = folder.start(`${anyPorts} --workers 2`, { DRAGOMAN_ADMIN_TOKEN: token })
  const { clients, operators } = await addressesOf(server)
  const place = { url: clients, adminUrl: operators, token }
  using all = follow(operators, token, topics)
  const sendersOf = (type: string) =>
    new Set(ofType(all, type).map(({ processId, exchange }) => processId ?? exchange?.processId))
  await until(async () => {
    await call(place, 'fine')
    const isMerged = ofType(all, 'PulseSample').some(({ processes }) => processes === 2)
    return sendersOf('ExchangeEnded').size === 2 && isMerged
  }, 30_000)
  await causeAll(all, place)
  await until(() => sendersOf('AccountChanged').size === 2)
  await followJob(all, place, video)

  const changed = {
    ...config,
    keys: [...config.keys, { id: 'late', secret: 'late-secret-canary' }],
  }
  await folder.write('dragoman.config.json', JSON.stringify(changed))
  server.child.kill('SIGHUP')
  await until(() => sendersOf('ConfigurationChanged').size === 2)
  await until(() =>
    ofType(all, 'AuditRecorded').some(
      ({ entry }) => entry?.action === 'configuration.reload' && entry.result === 'DONE',
    ),
  )
  expectClean(all)
})
