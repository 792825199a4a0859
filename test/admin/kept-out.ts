import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { type Place, addressesOf, anyPorts } from '../cli/dragoman.ts'
import { fetchWhenAllowed } from './fetch-when-allowed.ts'

export const key = 'secret-of-this-test'

export const token = `dga_${'t'.repeat(40)}`

/** An upstream that refuses one credential, asks another for a pause, and fails for a third. */
export async function startUpstream() {
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
export interface Asked {
  readonly clients: string
  readonly operators: string
  readonly folder: Place
}

export async function call({ clients }: Asked, model: string): Promise<void> {
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

export interface Cause {
  readonly account?: string
  readonly kind: string
  readonly reason: string
  readonly status?: number | null
  readonly dialect?: string | null
  readonly until?: string | null
  readonly process?: string
  readonly processId?: string
}

export function lineOf(account: string, cause: Cause): string {
  const { reason, status = null, dialect = null, until: end = null } = cause
  const process = cause.process ?? cause.processId
  return JSON.stringify([account, cause.kind.toLowerCase(), reason, status, dialect, end, process])
}

export interface Answer {
  readonly data: {
    readonly accounts: {
      readonly edges: { node: { id: string; state: string; serves: string; exclusions: Cause[] } }[]
    }
    readonly gateway: { readonly processesComplete: boolean; readonly store: object }
  }
  readonly extensions?: { readonly incomplete: { readonly field: string }[] }
}

export async function askApi({ operators }: Asked): Promise<Answer> {
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

export async function saysApi(asked: Asked): Promise<string[]> {
  const { edges } = (await askApi(asked)).data.accounts
  return edges.flatMap(({ node }) => node.exclusions.map((one) => lineOf(node.id, one))).toSorted()
}

export async function readiness({
  operators,
}: Asked): Promise<{ kept_out: Cause[]; store: object }> {
  const reply = await fetch(`${operators}/readyz?verbose`, { headers: { connection: 'close' } })
  return (await reply.json()) as { kept_out: Cause[]; store: object }
}

export async function saysReadiness(asked: Asked): Promise<string[]> {
  const { kept_out: out } = await readiness(asked)
  return out.map((one) => lineOf(one.account!, one)).toSorted()
}

export async function saysCommand({ folder }: Asked): Promise<string[]> {
  const { stdout } = await folder.call('accounts list --json')
  const accounts = JSON.parse(stdout) as { id: string; out?: Cause[] }[]
  return accounts.flatMap(({ id, out = [] }) => out.map((one) => lineOf(id, one))).toSorted()
}

/** What all ways of asking say, as soon as it is the same and contains enough. */
export async function agreement(asked: Asked, least: number): Promise<string[]> {
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

export async function start(
  folder: Place,
  config: object,
  flags = '',
): Promise<Asked & { pid: number }> {
  await folder.write('dragoman.config.json', JSON.stringify(config))
  const server = folder.start(`${anyPorts}${flags}`, { DRAGOMAN_ADMIN_TOKEN: token })
  return { ...(await addressesOf(server)), folder, pid: server.child.pid! }
}
