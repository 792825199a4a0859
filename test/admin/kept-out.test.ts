import { expect, test, vi } from 'vitest'

import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { type Place, addressesOf, anyPorts, openPlace } from '../cli/dragoman.ts'
import { fetchWhenAllowed } from './fetch-when-allowed.ts'

vi.setConfig({ testTimeout: 120_000 })

const key = 'secret-of-this-test'
const token = `dga_${'t'.repeat(40)}`

/** An upstream that refuses one credential, asks another for a pause, and fails for a third. */
async function startUpstream() {
  const refusal = { message: 'bad key', type: 'invalid_request_error', code: 'invalid_api_key' }
  const upstream = await startFakeAccount((response, request) => {
    const { authorization } = request.headers
    if (authorization === 'Bearer refused') {
      return answerJson({ error: refusal }, { status: 401 })(response, request)
    }
    if (request.method === 'GET') return answerJson({ object: 'list', data: [] })(response, request)
    const isBusy = authorization === 'Bearer cooling'
    const headers = { 'retry-after': '300' }
    const error = { message: 'no' }
    return answerJson({ error }, isBusy ? { status: 429, headers } : { status: 500 })(
      response,
      request,
    )
  })
  const accounts = ['refused', 'cooling', 'failing'].map((id) => ({
    id,
    provider: 'openai',
    baseUrl: upstream.url,
    apiKey: id,
    speaks: ['chat'],
    models: [id],
  }))
  return { upstream, accounts }
}

/** Where a process is asked. */
interface Asked {
  readonly clients: string
  readonly operators: string
  readonly folder: Place
}

async function call({ clients }: Asked, model: string): Promise<void> {
  const reply = await fetch(`${clients}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      connection: 'close',
    },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  })
  await reply.text()
}

interface Cause {
  readonly account?: string
  readonly kind: string
  readonly reason: string
  readonly status?: number | null
  readonly dialect?: string | null
  readonly until?: string | null
  readonly process?: string
  readonly processId?: string
}

function lineOf(account: string, cause: Cause): string {
  const { reason, status = null, dialect = null, until: end = null } = cause
  const process = cause.process ?? cause.processId
  return JSON.stringify([account, cause.kind.toLowerCase(), reason, status, dialect, end, process])
}

interface Answer {
  readonly data: {
    readonly accounts: {
      readonly edges: { node: { id: string; state: string; serves: string; exclusions: Cause[] } }[]
    }
    readonly gateway: { readonly processesComplete: boolean; readonly store: object }
  }
  readonly extensions?: { readonly incomplete: { readonly field: string }[] }
}

async function askApi({ operators }: Asked): Promise<Answer> {
  const query = `{ accounts { edges { node { id state serves exclusions {
    kind reason status dialect until processId } } } }
    gateway { processesComplete store { reachable } } }`
  const reply = await fetchWhenAllowed(`${operators}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      connection: 'close',
    },
    body: JSON.stringify({ query }),
  })
  return (await reply.json()) as Answer
}

async function saysApi(asked: Asked): Promise<string[]> {
  const { edges } = (await askApi(asked)).data.accounts
  return edges.flatMap(({ node }) => node.exclusions.map((one) => lineOf(node.id, one))).toSorted()
}

async function readiness({ operators }: Asked): Promise<{ kept_out: Cause[]; store: object }> {
  const reply = await fetch(`${operators}/readyz?verbose`, { headers: { connection: 'close' } })
  return (await reply.json()) as { kept_out: Cause[]; store: object }
}

async function saysReadiness(asked: Asked): Promise<string[]> {
  const { kept_out: out } = await readiness(asked)
  return out.map((one) => lineOf(one.account!, one)).toSorted()
}

async function saysCommand({ folder }: Asked): Promise<string[]> {
  const { stdout } = await folder.call('accounts list --json')
  const accounts = JSON.parse(stdout) as { id: string; out?: Cause[] }[]
  return accounts.flatMap(({ id, out = [] }) => out.map((one) => lineOf(id, one))).toSorted()
}

/** What all ways of asking say, as soon as it is the same and contains enough. */
async function agreement(asked: Asked, least: number): Promise<string[]> {
  let said: string[] = []
  await until(async () => {
    const all = [
      await saysApi(asked),
      await saysApi(asked),
      await saysReadiness(asked),
      await saysReadiness(asked),
      await saysCommand(asked),
    ]
    said = all[0]!
    return said.length >= least && all.every((one) => one.join() === said.join())
  }, 30_000)
  return said
}

async function start(folder: Place, config: object, flags = ''): Promise<Asked & { pid: number }> {
  await folder.write('dragoman.config.json', JSON.stringify(config))
  const server = folder.start(`${anyPorts}${flags}`, { DRAGOMAN_ADMIN_TOKEN: token })
  return { ...(await addressesOf(server)), folder, pid: server.child.pid! }
}

test('two workers: API, readiness and command line say the same of 401, pause and circuit', async () => {
  const { upstream, accounts } = await startUpstream()
  await using _upstream = upstream
  await using folder = await openPlace()
  const config = { keys: [{ id: 'team', secret: key }], accounts, store: 'file:store' }
  const asked = await start(folder, config, ' --workers 2')
  await call(asked, 'refused')
  await call(asked, 'cooling')
  for (let calls = 0; calls < 12; calls++) await call(asked, 'failing')
  const said = await agreement(asked, 3)
  const kinds = new Set(said.map((line) => (JSON.parse(line) as string[]).slice(0, 2).join(' ')))
  expect([...kinds].toSorted()).toEqual(['cooling cooling', 'failing circuit', 'refused refused'])
  expect(said.join()).toContain('401')
  const states = async () => {
    const { edges } = (await askApi(asked)).data.accounts
    return edges.map(({ node }) => [node.id, node.state, node.serves])
  }
  // Whichever worker answers.
  for (let times = 0; times < 8; times++) {
    expect(await states()).toEqual([
      ['cooling', 'COOLING', 'NOTHING'],
      // Of the only key that calls: it may be to blame.
      ['failing', 'ENABLED', 'SOME'],
      ['refused', 'REFUSED', 'NOTHING'],
    ])
  }
})

test('two replicas on Redis: what one has seen the other says, and a store that is away is told', async () => {
  const { upstream, accounts } = await startUpstream()
  await using _upstream = upstream
  await using redis = await startRedis()
  await using first = await openPlace()
  await using second = await openPlace()
  const config = { keys: [{ id: 'team', secret: key }], accounts, store: redis.url }
  const one = await start(first, config)
  const other = await start(second, config)
  await call(one, 'refused')
  await call(one, 'cooling')
  const said = await agreement(other, 2)
  expect(await agreement(one, 2)).toEqual(said)
  expect(said).toHaveLength(2)
  expect(new Set(said.map((line) => (JSON.parse(line) as string[]).at(-1))).size).toBe(1)
  expect((await askApi(other)).extensions).toBeUndefined()
  const { stdout } = await second.call('accounts list')
  expect(stdout).toMatch(/refused.*401/)

  await redis.kill()
  await until(async () => !(await askApi(other)).data.gateway.processesComplete)
  const answer = await askApi(other)
  expect(answer.data.gateway.store).toEqual({ reachable: false })
  const fields = new Set(answer.extensions?.incomplete.map(({ field }) => field))
  expect([...fields].toSorted()).toEqual(['accounts', 'gateway'])
  // The part of the other process is missing, and the answers say so.
  expect(await saysApi(other)).toEqual([])
  expect(await readiness(other)).toMatchObject({
    store: { reachable: false },
    processes: { silent: [expect.any(String)] },
    kept_out: [],
  })
  const failed = await second.call('accounts list')
  expect(failed.code).not.toBe(0)
  expect(failed.stderr).toContain('store')
})
