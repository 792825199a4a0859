import { z } from 'zod'

import { defined } from '../lib/json/object.ts'
import type { Problem } from '../contract/problems.ts'
import { expects } from './schema-nodes.ts'
import { configSchema, storeSchema } from './schema.ts'
import { type EnvironmentVariables, resolveSecret } from './secrets.ts'
import { type Settings, defaults } from './settings.ts'
import { checkShape } from './shape.ts'
import { publicUrlSchema } from './uploads-schema.ts'

/** Settings from the command line, as text. */
export interface Flags {
  host?: string
  port?: string
  adminHost?: string
  adminPort?: string
  /** `on` or `off`. */
  admin?: string
  store?: string
  publicUrl?: string
  logLevel?: string
  logFormat?: string
}

interface Sources {
  environment: EnvironmentVariables
  flags: Flags
  problems: Problem[]
}

type Endpoints = Pick<Settings, 'listen' | 'admin' | 'store' | 'publicUrl'>

const { host, port } = configSchema.shape.listen.unwrap().shape

/**
 * Resolves the addresses, the public URL and the store. Flags override the environment, and the
 * environment overrides the file. Adds problems to `sources.problems`.
 */
export function resolveEndpoints(fromFile: Endpoints, sources: Sources): Endpoints {
  const { environment, flags, problems } = sources
  const text = (flag: string, value: string | undefined, variable: string) =>
    firstSet([flag, value], [variable, environment[variable]])
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
    admin: isAdminOn(fromFile, text('--admin', flags.admin, 'DRAGOMAN_ADMIN'), problems) && {
      ...(fromFile.admin || defaults.admin),
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

/** Checks the URL of a store and resolves `env:NAME`. Adds problems to `problems`. */
export function checkStore(
  value: unknown,
  path: string,
  environment: EnvironmentVariables,
  problems: Problem[],
): string | undefined {
  // `env:NAME` keeps the password of a Redis URL out of the file.
  const isNamed = typeof value === 'string' && value.startsWith('env:')
  const url = isNamed ? resolveSecret(value, path, environment, problems) : value
  return isNamed && url === undefined ? undefined : checkShape(storeSchema, url, path, problems)
}

/** A setting as text, and where it comes from: `--port`, `DRAGOMAN_PORT`. */
interface Found {
  path: string
  value: string
}

/** The flag, otherwise the environment variable. An empty variable counts as absent, an empty flag does not. */
export function firstSet(
  [flag, flagValue]: [string, string | undefined],
  [variable, variableValue]: [string, string | undefined],
): Found | undefined {
  if (flagValue !== undefined) return { path: flag, value: flagValue }
  return variableValue ? { path: variable, value: variableValue } : undefined
}

const switchSchema = z.enum(['on', 'off']).meta(expects('on or off', 'off'))

function isAdminOn({ admin }: Endpoints, found: Found | undefined, problems: Problem[]): boolean {
  const value = found && checkShape(switchSchema, found.value, found.path, problems)
  return value === undefined ? admin !== false : value === 'on'
}

function toNumber(text: string): unknown {
  return /^\d+$/.test(text) ? Number(text) : text
}

function collide({ listen, admin }: Endpoints): boolean {
  if (!admin || listen.port === 0) return false
  return listen.port === admin.port && listen.host === admin.host
}

function samePort(port: number): Problem {
  return {
    path: 'admin.port',
    message: `is ${port}, which is also the port of the API`,
    fix: `give each its own port, for example admin: { port: ${port === 65_535 ? port - 1 : port + 1} }`,
  }
}
