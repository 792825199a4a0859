import { z } from 'zod'

import type { Problem } from '../contract/problems.ts'
import { parseRedisUrl } from '../stores/redis/url.ts'
import { defaultAdmin, defaultListen } from './default-addresses.ts'
import { type OverrideSources, overrideOf, overridden } from './overrides.ts'
import { expects, withDefault } from './schema-nodes.ts'
import { resolveSecret } from './secrets.ts'
import { checkShape } from './shape.ts'

/** A port to listen on. */
export const portSchema = z
  .int()
  .min(0)
  .max(65_535)
  .meta(expects('a whole number from 0 to 65535', 8787))

const host = z.string().regex(/^\S+$/).meta(expects('a host name or address', '127.0.0.1'))

const addressSchema = (fallback: Endpoint) =>
  z.strictObject({
    host: withDefault(host, 'Host name or IP address to listen on.', fallback.host),
    port: withDefault(
      portSchema.meta(expects('a whole number from 0 to 65535', fallback.port)),
      'Port to listen on; 0 selects a free port.',
      fallback.port,
    ),
  })

/** The schema of `listen`. */
export const listenSchema = addressSchema(defaultListen)

/** The address of `admin`. */
export const adminAddressSchema = addressSchema(defaultAdmin)

/** The URL of a store. */
export const storeSchema = z
  .string()
  .refine((url) => /^(file:.+|memory:)$/s.test(url) || parseRedisUrl(url) !== undefined)
  .meta({
    ...expects(
      'file:DIR, memory: or redis://HOST:PORT (in credentials % is written %25)',
      'file:.dragoman',
    ),
    hidden: true,
    url: true,
    pattern: '^(file:.|memory:$|rediss?(\\+(sentinel|cluster))?://|env:)',
  })

/** The schema of `publicUrl`. */
export const publicUrlSchema = z
  .string()
  .refine(isBaseUrl)
  .meta({
    ...expects('an http(s) URL without credentials, query or fragment', 'https://llm.example.com'),
    url: true,
    pattern: '^https?://[^?#\\s]+$',
  })

/** Whether a text is an http(s) URL without credentials, query and fragment. */
export function isHttpUrl(text: string): boolean {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return false
  return !url.username && !url.password && !url.search && !url.hash
}

/** The same, without spaces, and without an empty query or fragment. */
export function isBaseUrl(text: string): boolean {
  return isHttpUrl(text) && !/[?#\s]/.test(text)
}

/** Where `resolveEndpoints` finds settings, and where it adds problems. */
interface Sources extends OverrideSources {
  readonly problems: Problem[]
}

/** The addresses, the store, and the URL at which clients reach the gateway. */
export interface Endpoints {
  listen: Endpoint
  /** False: no admin API, and no admin address. */
  admin: Endpoint | false
  /** `file:DIR`, `memory:` or the URL of a Redis. */
  store: string
  /** Absent: unknown. */
  publicUrl?: string
}

/** An address to listen on. */
export interface Endpoint {
  host: string
  port: number
}

/** The addresses, the public URL and the store: a flag goes before a variable, and a variable before the file. */
export function resolveEndpoints(fromFile: Endpoints, sources: Sources): Endpoints {
  const { listen, publicUrl, store } = fromFile
  const isAdminOn = overridden('admin', adminSwitch, sources) ?? (fromFile.admin && 'on')
  const admin = fromFile.admin || defaultAdmin
  const written = overrideOf('store', sources)
  const endpoints: Endpoints = {
    listen: {
      host: overridden('listen.host', listenSchema.shape.host, sources) ?? listen.host,
      port: overridden('listen.port', listenSchema.shape.port, sources) ?? listen.port,
    },
    admin: isAdminOn === 'on' && {
      host: overridden('admin.host', adminAddressSchema.shape.host, sources) ?? admin.host,
      port: overridden('admin.port', adminAddressSchema.shape.port, sources) ?? admin.port,
    },
    store: (written && checkStore(written.value, written.path, sources)) ?? store,
  }
  const url = overridden('publicUrl', publicUrlSchema, sources) ?? publicUrl
  if (url !== undefined) endpoints.publicUrl = url
  if (collide(endpoints)) sources.problems.push(samePort(endpoints.listen.port))
  return endpoints
}

const adminSwitch = z.enum(['on', 'off']).meta(expects('on or off', 'off'))

/** Checks the URL of a store and resolves `env:NAME`. Adds problems to `problems`. */
export function checkStore(
  value: unknown,
  path: string,
  { env, problems }: Pick<Sources, 'env' | 'problems'>,
): string | undefined {
  // `env:NAME` keeps the password of a Redis URL out of the file.
  const isNamed = typeof value === 'string' && value.startsWith('env:')
  const url = isNamed ? resolveSecret(value, path, env, problems) : value
  return isNamed && url === undefined ? undefined : checkShape(storeSchema, url, path, problems)
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
