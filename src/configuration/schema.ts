import { z } from 'zod'

import { defaultCapture } from '../capture/settings.ts'
import { fallbackKinds, strategies } from '../contract/account.ts'
import { defaultImageModels } from '../media/image.ts'
import { accountSchema } from './account-schema.ts'
import { adminSchema, proxiesSchema } from './admin-schema.ts'
import { listenSchema, publicUrlSchema, storeSchema } from './endpoints.ts'
import { keySchema } from './key-schema.ts'
import { limitsSchema, timeoutsSchema } from './limits-schema.ts'
import { logSchema } from './log-schema.ts'
import { passthroughSchema } from './passthrough-schema.ts'
import { pluginReferenceSchema } from './plugins/schema.ts'
import { pricesSchema } from './prices-schema.ts'
import { alertsSchema, quotasSchema, teamSchema } from './quota-schema.ts'
import { remoteSchema } from './remote-schema.ts'
import {
  bytes,
  expects,
  flag,
  group,
  errorsSchema,
  lossesSchema,
  modelNames,
  optional,
  replyModelSchema,
  required,
  withDefault,
} from './schema-nodes.ts'
import { telemetrySchema } from './telemetry-schema.ts'
import { uploadsSchema } from './uploads-schema.ts'

const aliasedModel = z.string().min(1).meta(expects('the name of a model', 'gpt-4.1'))

/** Each fallback may be asked for one call. */
const mostFallbacks = 10

const fallbackSchema = z.strictObject({
  on: required(
    z
      .array(z.enum(fallbackKinds).meta(expects('a kind of failure', 'unavailable')))
      .min(1)
      .meta(expects(`a list of ${fallbackKinds.join(', ')}`, ['unavailable'])),
    'The kinds of failures after which it is asked: `unavailable`, `rate_limited`, `context_length`, `refused`, `budget`.',
  ),
  model: required(aliasedModel, 'A model, or another alias.'),
})

/** The schema of an alias. */
export const aliasSchema = z
  .union([
    aliasedModel,
    z.strictObject({
      model: required(aliasedModel, 'A model, or another alias.'),
      replyModel: optional(
        replyModelSchema,
        'The model that replies name: `account` as the account reports it, `client` as the client asked for it.',
        "the value of the alias that it names, otherwise the account's",
      ),
      strategy: optional(
        z.enum(strategies).meta(expects("'least-busy', 'latency' or 'cost'", 'latency')),
        'How to choose among accounts of the same rank and priority: `least-busy` takes the one with the fewest calls, `latency` the one with the quickest first output, `cost` the one with the lowest price ([Strategies](routing.md#strategies)).',
        'the value of the alias that it names, otherwise `weight` decides',
      ),
      fallbacks: optional(
        z
          .array(fallbackSchema)
          .max(mostFallbacks)
          .meta(
            expects(`a list of at most ${mostFallbacks} models`, [
              { on: ['unavailable'], model: 'gpt-4.1-mini' },
            ]),
          ),
        'Models that stand in when no account of the model can serve a call ([Fallbacks](routing.md#fallbacks)). An empty list: none.',
        'the value of the alias that it names, otherwise none',
      ),
    }),
  ])
  .meta(
    expects('the name of a model, or an object with `model` and settings', {
      model: 'gpt-4.1',
      replyModel: 'client',
    }),
  )

const { legacy, current, later } = defaultImageModels

/** A name without `*`: it goes into requests as it is. */
const literalName = z
  .string()
  .regex(/^[^*]+$/)
  .meta(expects('the name of a model', 'gpt-image-1'))

/** The schema of `imageModels`. */
const imageModelsSchema = z
  .strictObject({
    legacy: withDefault(
      modelNames,
      'Names and patterns of legacy image models; all others are newer models. The first name applies to an edit that names no model.',
      [...legacy],
    ),
    current: withDefault(
      literalName,
      'Name of the model that applies instead if such an edit asks for a feature of newer models.',
      current,
    ),
    later: withDefault(
      modelNames,
      'Names and patterns of newer models that accept further sizes and qualities. The gateway does not check these fields for them.',
      [...later],
    ),
  })
  .meta(expects('an object of model names', { legacy: ['dall-e-2'] }))

/** The schema of `capture`. */
const captureSchema = z.strictObject({
  directory: required(
    z.string().min(1).meta(expects('a directory', '/var/lib/dragoman/captures')),
    'Directory of the files, which have what callers send and get. The gateway creates it, for its own user alone; a relative path starts at the configuration file.',
  ),
  keepHours: withDefault(
    z.int().min(1).max(720).meta(expects('a whole number of hours from 1 to 720', 24)),
    'After so many hours a file is deleted.',
    defaultCapture.keepHours,
  ),
  maxBytes: withDefault(
    bytes,
    'All files together. A capture ends where it would exceed them.',
    defaultCapture.maxBytes,
  ),
})

/** The schema of a configuration. Rules that concern several fields are checked separately. */
export const configSchema = z.strictObject({
  listen: group(listenSchema, 'Address for API clients.'),
  admin: withDefault(
    z
      .union([adminSchema, z.literal(false)])
      .meta(expects('an object of settings, or false', { port: 8788 })),
    'Admin address: the admin API and probes (`/livez`, `/readyz`). False serves neither, and probes stay on `listen`.',
    adminSchema.parse({}),
    'the defaults of its settings',
  ),
  store: withDefault(
    storeSchema,
    'Where the gateway stores its records: `file:DIR` (a relative path starts at the configuration file), `redis://HOST:PORT` for replicas (also `rediss://`, `redis+sentinel://HOST:PORT,HOST:PORT/NAME` and `redis+cluster://HOST:PORT,HOST:PORT`), or `memory:`, which ends with the process. `env:NAME` reads the URL from the environment.',
    'file:.dragoman',
  ),
  keys: withDefault(
    z
      .array(keySchema)
      .meta(expects('a list of keys', [{ id: 'team-a', secret: 'env:TEAM_A_KEY' }])),
    'API keys, in addition to those in the store.',
    [],
  ),
  accounts: withDefault(
    z.array(accountSchema).meta(expects('a list of accounts', [])),
    'Upstream accounts.',
    [],
  ),
  teams: withDefault(
    z.array(teamSchema).meta(expects('a list of teams', [{ id: 'research', models: ['gpt-*'] }])),
    'Teams of keys, with models and [limits](limits.md) that their keys share.',
    [],
  ),
  quotas: withDefault(
    quotasSchema,
    '[Limits](limits.md) of all calls of the gateway together.',
    [],
  ),
  alerts: group(alertsSchema, 'Who learns that budgets run out.'),
  aliases: withDefault(
    z
      .record(z.string().min(1), aliasSchema)
      .meta(expects('a map from names to models', { fast: 'gpt-4.1-mini' })),
    "Additional names of models: `{ fast: 'gpt-4.1-mini' }`. An alias may name another alias. With `{ fast: { model: 'gpt-4.1-mini', replyModel: 'client' } }` replies name the model as the client asked for it, with `replyModel: 'account'` as the account reports it; an alias goes before its account. An alias with the name of its model has settings of the model: `{ 'gpt-4.1': { model: 'gpt-4.1', strategy: 'latency' } }` ([Routing](routing.md#strategies)).",
    {},
  ),
  prices: withDefault(
    pricesSchema,
    "Prices of models by the accounts' own names for them, for the [metric of costs](metrics.md#costs). They go before the published prices of the providers, which the gateway brings.",
    {},
  ),
  errors: withDefault(
    errorsSchema,
    "The form of errors, of accounts and of the gateway: `spec` is the error envelope of the client's dialect with an integer `code`, a `message` and `details`; `upstream` is the same, but errors of accounts pass byte for byte; `native` is the provider's own form, for [strictly typed clients](clients.md#errors): `code` is a text or null, and a video that waits is `queued`.",
    'spec',
  ),
  limits: group(limitsSchema, 'Sizes and counts. A request or reply beyond them is refused.'),
  timeouts: group(timeoutsSchema, 'How long the gateway waits.'),
  spool: optional(
    z.string().min(1).meta(expects('a directory', '/var/tmp')),
    'Directory for forms above 1 MiB; a relative path starts at the configuration file. If the default is in memory (tmpfs), name a directory on disk.',
    "the system's directory for temporary files",
  ),
  clientGone: withDefault(
    z.enum(['abort', 'drain']).meta(expects("'abort' or 'drain'", 'abort')),
    "What happens to an account's reply when the client disconnects: `abort` ends it, `drain` reads it to its end to learn the usage.",
    'abort',
  ),
  losses: withDefault(
    lossesSchema,
    'What happens to settings of a request that an account of another dialect does not support: `drop` leaves them out and names them in `x-dragoman-losses`; `native` and `reject` use only accounts that support the whole request, and answer 400 if no account does.',
    'drop',
  ),
  publicUrl: optional(
    publicUrlSchema,
    'URL at which clients reach this gateway, with a path if an ingress adds one. URLs that the gateway issues begin with it.',
    'the address of `listen` if it is a loopback address; otherwise requests for such URLs answer 500',
  ),
  trustedProxies: withDefault(
    proxiesSchema,
    'Addresses and networks of the proxies before the gateway; `loopback` and `private` stand for networks. The client’s address, and the scheme, host and path of URLs if `publicUrl` is not set, come from the headers of these proxies, and of no others ([Behind an ingress](ingress.md#trusted-proxies)).',
    [],
  ),
  uploads: group(uploadsSchema, 'Where uploaded files go.'),
  imageModels: group(
    imageModelsSchema,
    'Which image models exist. Legacy and newer models accept different requests.',
  ),
  passthrough: withDefault(
    passthroughSchema,
    'Paths beside those of the dialects whose requests [pass to accounts as they are](passthrough.md). None passes that is not named.',
    [],
  ),
  remote: group(
    remoteSchema,
    'How the gateway fetches files that clients name by URL. By default it reaches the public internet by https, and nothing else.',
  ),
  capture: withDefault(
    z.union([captureSchema, z.literal(false)]).meta(
      expects('an object with a directory, or false', {
        directory: '/var/lib/dragoman/captures',
      }),
    ),
    'Permits administrators to [capture](logs.md#captures) requests and replies of a key for a bounded time. `false`: captures are not permitted.',
    false,
  ),
  history: withDefault(
    flag,
    'Whether the store gets a row for each attempt and their sums: what calls have used and cost ([Usage](usage.md)). False writes none.',
    true,
  ),
  log: group(
    logSchema,
    'What the gateway logs, how and where ([Logs](logs.md)). A reload takes effect without a restart.',
  ),
  telemetry: group(telemetrySchema, 'Metrics and traces, and how they are named.'),
  // `loadPlugins` and `checkPlugins` check each of them.
  plugins: withDefault(
    z
      .array(z.union([z.unknown().meta({ typescript: 'GatewayPlugin' }), pluginReferenceSchema]))
      .meta(expects('a list of plugins', [{ use: './my-plugin.ts' }])),
    'Your own plugins, which run before the shipped authentication ([Plugins](plugins.md#modules-and-options)). A file of TypeScript or JavaScript may contain plugins themselves as well.',
    [],
  ),
  $schema: optional(
    z.string().meta(expects('the address of a JSON Schema', './config.schema.json')),
    'Address of the JSON Schema of this file, for editors. The gateway ignores it.',
    'none',
  ),
})
