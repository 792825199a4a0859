import { join } from 'node:path'

import type { Role } from '../../../src/contract/roles.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts'
import {
  type AdminGateway,
  type AdminGatewayOptions,
  startAdminGateway,
} from '../../admin/admin-gateway.ts'
import { type Place, type Result, openPlace } from '../dragoman.ts'

/** An operator at a running gateway, and in the directory of its configuration. */
export interface Desk extends AsyncDisposable {
  readonly gateway: AdminGateway
  readonly place: Place
  readonly sandbox: Sandbox
  /** The variables of a command that speaks to the gateway. */
  env(role?: Role): Record<string, string>
  /** Runs a command at the running gateway as a role, default `admin`. */
  remote(words: string, role?: Role): Promise<Result>
  /** Runs it on the configuration and the store. */
  local(words: string): Promise<Result>
}

/** An account of the sandbox. */
export function sandboxAccount(id: string, rest: object = {}) {
  return {
    id,
    provider: 'sandbox',
    apiKey: 'sandbox-key-a',
    models: ['sandbox/*'],
    speaks: ['responses'],
    ...rest,
  }
}

/** Starts a gateway on a file store, with accounts of one sandbox. */
export async function openDesk(
  accounts: readonly ReturnType<typeof sandboxAccount>[] = [sandboxAccount('a')],
  options: AdminGatewayOptions = {},
): Promise<Desk> {
  await using opening = new AsyncDisposableStack()
  const sandbox = opening.use(await startSandbox())
  const place = opening.use(await openPlace())
  const config = {
    keys: [{ id: 'test', secret: 'test-secret' }],
    accounts: accounts.map((one) => ({ baseUrl: sandbox.url, ...one })),
    store: `file:${join(place.path, 'store')}`,
  }
  await place.write('dragoman.config.json', JSON.stringify(config))
  const gateway = opening.use(await startAdminGateway({ ...config, ...options }))
  const env = (role: Role = 'admin') => ({
    DRAGOMAN_ADMIN_URL: gateway.adminUrl,
    DRAGOMAN_ADMIN_TOKEN: gateway.token(role),
  })
  const opened = opening.move()
  return {
    gateway,
    place,
    sandbox,
    env,
    remote: (words, role) => place.call(words, env(role)),
    local: (words) => place.call(words),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** The data that a command printed with `--json`. */
export function dataOf({ code, stdout, stderr }: Result): unknown {
  if (code !== 0) throw new Error(`It ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as unknown
}

/** Makes a response, with the key of the gateway. Resolves with its id. */
export async function respond({ gateway }: Pick<Desk, 'gateway'>, more: object = {}) {
  const reply = await fetch(`${gateway.url}/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}` },
    body: JSON.stringify({ model: 'sandbox/echo', input: 'hello', ...more }),
  })
  const { id } = (await reply.json()) as { id: string }
  return { id, status: reply.status }
}
