import { z } from 'zod'

import { parseRedisUrl } from '../stores/redis/url.ts'
import { bytes, countNode, expects, milliseconds } from './schema-nodes.ts'
import { remoteSchema } from './remote-schema.ts'
import { publicUrlSchema, uploadsSchema } from './uploads-schema.ts'

// Ids stand in headers, logs and command lines.
const identifier = z
  .string()
  .regex(/^[A-Za-z0-9][\w.:@-]{0,127}$/)
  .meta(expects('1 to 128 letters, digits and ._:@-, beginning with a letter or digit', 'team-a'))

const host = z.string().regex(/^\S+$/).meta(expects('a host name or address', '127.0.0.1'))

export const portSchema = z
  .int()
  .min(0)
  .max(65_535)
  .meta(expects('a whole number from 0 to 65535', 8787))

const address = z.strictObject({ host: host.optional(), port: portSchema.optional() })

const secret = z
  .string()
  .min(1)
  .meta({ ...expects('a non-empty string, or env:NAME', 'env:NAME'), hidden: true })

const name = z.string().min(1).meta(expects('the name of a model, or a pattern', 'gpt-*'))

/** Stands in requests as it is, so that it can be no pattern. */
const literalName = z
  .string()
  .regex(/^[^*]+$/)
  .meta(expects('the name of a model', 'gpt-image-1'))

const names = z
  .array(name)
  .min(1)
  .meta(expects('a list of at least one model name or pattern', ['gpt-*']))

const time = z
  .union([z.date(), z.iso.datetime({ offset: true }), z.iso.date(), z.number().min(1e11)])
  .meta(
    expects(
      'an ISO 8601 time with its zone, a Date, or milliseconds since 1970',
      '2030-01-31T00:00:00Z',
    ),
  )

const flag = z.boolean().meta(expects('true or false', true))

export const lossesSchema = z
  .enum(['drop', 'native', 'reject'])
  .meta(expects("'drop', 'native' or 'reject'", 'drop'))

const key = z.strictObject({
  id: identifier,
  secret: secret.optional(),
  hash: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/i)
    .meta({
      ...expects("sha256: and the 64 hex digits of the secret's SHA-256", 'sha256:9f86d081...'),
      hidden: true,
    })
    .optional(),
  models: names.optional(),
  expiresAt: time.optional(),
  disabled: flag.optional(),
  explain: flag.optional(),
  losses: lossesSchema.optional(),
})

const account = z.strictObject({
  id: identifier,
  provider: z.string().min(1).meta(expects('the name of a provider', 'openai')),
  baseUrl: z
    .string()
    .refine(isBaseUrl)
    .meta({
      ...expects(
        'an http(s) URL without credentials, query or fragment',
        'https://llm.example.com/v1',
      ),
      hidden: true,
    })
    .optional(),
  apiKey: secret.optional(),
  speaks: z
    .array(z.string().min(1))
    .min(1)
    .meta(expects('a list of at least one dialect', ['responses', 'chat']))
    .optional(),
  models: z
    .union([names, z.record(z.string().min(1), name).refine((map) => Object.keys(map).length > 0)])
    .meta(
      expects(
        "a list of at least one model name or pattern, or a map from platform names to the account's own",
        ['gpt-*'],
      ),
    ),
  weight: z
    .number()
    .positive()
    .meta(expects('a number above 0 (enabled: false takes an account out)', 1))
    .optional(),
  priority: z.int().meta(expects('a whole number', 0)).optional(),
  enabled: flag.optional(),
})

const limits = z.strictObject({
  jsonBodyBytes: bytes.optional(),
  formBytes: bytes.optional(),
  formPartBytes: bytes.optional(),
  spoolBytes: bytes.optional(),
  inlineBytes: bytes.optional(),
  replyBytes: bytes.optional(),
  frameBytes: bytes.optional(),
  attempts: countNode.optional(),
})

const timeouts = z.strictObject({
  connectMs: milliseconds.optional(),
  firstByteMs: milliseconds.optional(),
  idleMs: milliseconds.optional(),
  totalMs: milliseconds.optional(),
  keepAliveMs: milliseconds.optional(),
  holdMs: milliseconds.optional(),
  requestBodyMs: milliseconds.optional(),
  drainMs: milliseconds.optional(),
})

const imageModels = z
  .strictObject({
    legacy: names.optional(),
    current: literalName.optional(),
    later: names.optional(),
  })
  .meta(expects('an object of model names', { legacy: ['dall-e-2'] }))

export const storeSchema = z
  .string()
  .refine((url) => /^(file:.+|memory:)$/s.test(url) || parseRedisUrl(url) !== undefined)
  .meta({
    ...expects(
      'file:DIR, memory: or redis://HOST:PORT (in credentials % is written %25)',
      'file:.dragoman',
    ),
    hidden: true,
  })

/** The shape of a user's configuration. What concerns several fields is checked after it. */
export const configSchema = z.strictObject({
  listen: address.optional(),
  admin: address.optional(),
  store: storeSchema.optional(),
  keys: z
    .array(key)
    .meta(expects('a list of keys', [{ id: 'team-a', secret: 'env:TEAM_A_KEY' }]))
    .optional(),
  accounts: z.array(account).meta(expects('a list of accounts', [])).optional(),
  aliases: z
    .record(z.string().min(1), z.string().min(1).meta(expects('the name of a model', 'gpt-4.1')))
    .meta(expects('a map from names to models', { fast: 'gpt-4.1-mini' }))
    .optional(),
  errors: z.enum(['spec', 'upstream']).meta(expects("'spec' or 'upstream'", 'spec')).optional(),
  limits: limits.optional(),
  timeouts: timeouts.optional(),
  spool: z.string().min(1).meta(expects('a directory', '/var/tmp')).optional(),
  clientGone: z.enum(['abort', 'drain']).meta(expects("'abort' or 'drain'", 'abort')).optional(),
  samplingFields: z
    .enum(['adapt', 'client'])
    .meta(expects("'adapt' or 'client'", 'adapt'))
    .optional(),
  losses: lossesSchema.optional(),
  publicUrl: publicUrlSchema.optional(),
  uploads: uploadsSchema.optional(),
  imageModels: imageModels.optional(),
  remote: remoteSchema.optional(),
  // They are code: see `checkPlugins`.
  plugins: z.array(z.unknown()).meta(expects('a list of plugins', [])).optional(),
})

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return false
  return !url.username && !url.password && !url.search && !url.hash
}
