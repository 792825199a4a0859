import { defined } from '../lib/json/object.ts'
import type { Problem } from '../contract/problems.ts'
import { configSchema, storeSchema } from './schema.ts'
import { type EnvironmentVariables, resolveSecret } from './secrets.ts'
import type { Settings } from './settings.ts'
import { checkShape } from './shape.ts'
import { publicUrlSchema } from './uploads-schema.ts'

/** Settings that the command line gives, as it gives them. */
export interface Flags {
  host?: string
  port?: string
  adminHost?: string
  adminPort?: string
  store?: string
  publicUrl?: string
}

interface Sources {
  environment: EnvironmentVariables
  flags: Flags
  problems: Problem[]
}

type Endpoints = Pick<Settings, 'listen' | 'admin' | 'store' | 'publicUrl'>

const { host, port } = configSchema.shape.listen.unwrap().shape

/** Where to listen, where clients find it and where to keep records: flags over environment over file over defaults. */
export function resolveEndpoints(fromFile: Endpoints, sources: Sources): Endpoints {
  const { environment, flags, problems } = sources
  const text = (flag: string, given: string | undefined, variable: string) =>
    firstSet([flag, given], [variable, environment[variable]])
  const hostOf = (found: Found | undefined) =>
    found && checkShape(host, found.value, found.path, problems)
  const portOf = (found: Found | undefined) =>
    found && checkShape(port, toNumber(found.value), found.path, problems)
  const store = text('--store', flags.store, 'DRAGOMAN_STORE')
  const publicUrl = text('--public-url', flags.publicUrl, 'DRAGOMAN_PUBLIC_URL')

  const endpoints = {
    listen: {
      ...fromFile.listen,
      ...defined({
        host: hostOf(text('--host', flags.host, 'DRAGOMAN_HOST')),
        port: portOf(text('--port', flags.port, 'DRAGOMAN_PORT')),
      }),
    },
    admin: {
      ...fromFile.admin,
      ...defined({
        host: hostOf(text('--admin-host', flags.adminHost, 'DRAGOMAN_ADMIN_HOST')),
        port: portOf(text('--admin-port', flags.adminPort, 'DRAGOMAN_ADMIN_PORT')),
      }),
    },
    ...defined({
      publicUrl: publicUrl
        ? checkShape(publicUrlSchema, publicUrl.value, publicUrl.path, problems)
        : fromFile.publicUrl,
    }),
    store: (store && checkStore(store.value, store.path, environment, problems)) ?? fromFile.store,
  }
  if (collide(endpoints)) problems.push(samePort(endpoints.listen.port))
  return endpoints
}

/** A store that this version has, or a problem. */
export function checkStore(
  value: unknown,
  path: string,
  environment: EnvironmentVariables,
  problems: Problem[],
): string | undefined {
  // The URL of a Redis may hold its password.
  const isNamed = typeof value === 'string' && value.startsWith('env:')
  const url = isNamed ? resolveSecret(value, path, environment, problems) : value
  return isNamed && url === undefined ? undefined : checkShape(storeSchema, url, path, problems)
}

interface Found {
  path: string
  value: string
}

/** The first that is there. An empty environment variable counts as none, an empty flag does not. */
function firstSet(
  [flag, given]: [string, string | undefined],
  [variable, set]: [string, string | undefined],
): Found | undefined {
  if (given !== undefined) return { path: flag, value: given }
  return set ? { path: variable, value: set } : undefined
}

function toNumber(text: string): unknown {
  return /^\d+$/.test(text) ? Number(text) : text
}

function collide({ listen, admin }: Endpoints): boolean {
  return listen.port !== 0 && listen.port === admin.port && listen.host === admin.host
}

function samePort(port: number): Problem {
  return {
    path: 'admin.port',
    message: `is ${port}, which is the port for clients too`,
    fix: `give each a port of its own, for example admin: { port: ${port === 65_535 ? port - 1 : port + 1} }`,
  }
}
