import {
  type AdminClient,
  AdminError,
  createAdminClient,
} from '../../../examples/admin-client/admin-client.ts'
import type { Role } from '../../../src/admin/roles.ts'
import { roles } from '../../../src/admin/roles.ts'
import { startSandbox } from '../../../src/sandbox/index.ts'
import { startRedis } from '../../../src/testing/redis.ts'
import { addressesOf, anyPorts, openPlace } from '../../cli/dragoman.ts'
import { temporaryDirectory } from '../../stores/temporary.ts'
import { startAdminGateway } from '../admin-gateway.ts'

/** The addresses of one gateway. */
interface Addresses {
  readonly clients: string
  readonly operators: string
}

/** A gateway in some deployment, with the accounts `first` and `second`, of which `first` is asked first. */
export interface Deployed extends AsyncDisposable {
  /** One of each replica. */
  readonly addresses: readonly Addresses[]
  /** The number of processes that serve. */
  readonly processes: number
}

/** A way to run the gateway. */
export interface Deployment {
  readonly name: string
  start(): Promise<Deployed>
}

/** The keys of the clients. */
export const keys = ['mine', 'other'].map((id) => ({ id, secret: `secret-${id}` }))

const secretOf = (role: Role) => `dga_${role.padEnd(43, 'x')}`

const tokens = roles.map((role) => ({ id: role, role, secret: secretOf(role) }))

/** Each deployment that the admin API serves alike. */
export const deployments = {
  file: { name: 'a file store', start: () => inProcess(1, temporaryFile) },
  redis: { name: 'Redis', start: () => inProcess(1, startRedis) },
  workers: { name: 'two workers', start: twoWorkers },
  replicas: { name: 'two replicas on one Redis', start: () => inProcess(2, startRedis) },
} satisfies Record<string, Deployment>

async function temporaryFile() {
  const directory = await temporaryDirectory()
  return {
    url: `file:${directory.path}`,
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}

async function inProcess(
  count: number,
  openStore: () => Promise<{ readonly url: string } & AsyncDisposable>,
): Promise<Deployed> {
  await using opening = new AsyncDisposableStack()
  const sandbox = opening.use(await startSandbox())
  const { url: store } = opening.use(await openStore())
  const addresses: Addresses[] = []
  for (let replica = 0; replica < count; replica++) {
    const options = { store, keys, tokens, accounts: accountsAt(sandbox.url) }
    const gateway = opening.use(await startAdminGateway(options))
    addresses.push({ clients: gateway.url, operators: gateway.adminUrl })
  }
  const opened = opening.move()
  return { addresses, processes: count, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

async function twoWorkers(): Promise<Deployed> {
  await using opening = new AsyncDisposableStack()
  const sandbox = opening.use(await startSandbox())
  const place = opening.use(await openPlace())
  const accounts = accountsAt(sandbox.url)
  const config = { keys, accounts, admin: { tokens }, store: 'file:store' }
  await place.write('dragoman.config.json', JSON.stringify(config))
  const addresses = await addressesOf(place.start(`${anyPorts} --workers 2`))
  const opened = opening.move()
  return {
    addresses: [addresses],
    processes: 2,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function accountsAt(baseUrl: string) {
  const common = { provider: 'sandbox', baseUrl, models: ['sandbox/*'] } as const
  return [
    { id: 'first', ...common, apiKey: 'sandbox-key-a' },
    { id: 'second', ...common, apiKey: 'sandbox-key-b', priority: 1 },
  ]
}

/** The typed client of a role: of each replica in turn, and of any worker. */
export function openClient({ addresses }: Deployed, role: Role): AdminClient {
  const clients = addresses.map(({ operators: url }) =>
    createAdminClient({ url, token: secretOf(role), fetch: freshly }),
  )
  let turn = 0
  const next = () => clients[turn++ % clients.length]!
  return {
    query: (document, variables) => patiently(() => next().query(document, variables)),
    mutate: (document, variables) => patiently(() => next().mutate(document, variables)),
    follow: (document, variables, handler) => next().follow(document, variables, handler),
  }
}

/** A busy machine may exceed the deadline of the store. */
async function patiently<Data>(ask: () => Promise<Data>, tries = 5): Promise<Data> {
  const answer = await ask().catch((error: unknown) => {
    const isAway = error instanceof AdminError && error.code === 'STORE_UNAVAILABLE'
    if (isAway && tries > 1) return undefined
    throw error
  })
  const isAway = JSON.stringify(answer)?.includes('"__typename":"StoreUnavailable"') ?? true
  return answer === undefined || (isAway && tries > 1) ? patiently(ask, tries - 1) : answer
}

/** On a connection of its own, which any worker may get. */
const freshly: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set('connection', 'close')
  return fetch(input, { ...init, headers })
}

/** A request of a client with its key, to each replica in turn and to any worker. */
export type Send = (
  key: string,
  path: string,
  body?: object,
) => Promise<{ readonly status: number; readonly account: string | null; readonly body: Answered }>

/** The members of an answer that the tests read. */
interface Answered {
  readonly id: string
  readonly status?: string
  readonly error?: { readonly code: string } | null
}

/** Sends the requests of clients. */
export function openSend({ addresses }: Deployed): Send {
  let turn = 0
  return async (key, path, body) => {
    const { clients } = addresses[turn++ % addresses.length]!
    const response = await freshly(`${clients}${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json', authorization: `Bearer secret-${key}` },
    })
    const { status, headers } = response
    const answered = (await response.json()) as Answered
    return { status, account: headers.get('x-dragoman-account'), body: answered }
  }
}
