import { z } from 'zod'

import type { Problem } from '../contract/problems.ts'
import type { QuotaSetting } from '../contract/quota.ts'
import type { ErrorForm } from '../contract/request.ts'
import type { LossPolicy } from '../generate/unsupported.ts'
import { defined } from '../lib/json/object.ts'
import { repeatedIds } from './check-names.ts'
import { checkHash, sameSecret } from './check-secret.ts'
import { quotaProblems, quotasSchema } from './quota-schema.ts'
import {
  errorsSchema,
  expects,
  flag,
  identifier,
  lossesSchema,
  modelNames,
  optional,
  required,
  secret,
  withDefault,
} from './schema-nodes.ts'
import type { EnvironmentVariables } from './secrets.ts'
import { checkShape } from './shape.ts'

const mostLabels = 32

/** A time at which a secret expires. */
export const keyTime = z
  .union([
    z.date().meta({ typescript: 'Date' }),
    z.iso.datetime({ offset: true }),
    z.iso.date(),
    z.number().min(1e11),
  ])
  .meta(
    expects(
      'an ISO 8601 time with its zone, a Date, or milliseconds since 1970',
      '2030-01-31T00:00:00Z',
    ),
  )

/** The hash of a secret. */
export const secretHash = z
  .string()
  .regex(/^(?:sha|SHA)256:[0-9a-fA-F]{64}$/)
  .meta({
    ...expects("sha256: and the 64 hex digits of the secret's SHA-256", 'sha256:9f86d081...'),
    secret: true,
  })

/** The labels of a key: few and short, since every process keeps them in memory. */
const labelsSchema = z
  .record(z.string().regex(/^[A-Za-z0-9][\w./-]{0,62}$/), z.string().max(256))
  .refine((labels) => Object.keys(labels).length <= mostLabels)
  .meta(
    expects(
      'a map of at most 32 names (1 to 63 letters, digits and ._/-, beginning with a letter or digit) to texts of at most 256 characters',
      { department: 'research' },
    ),
  )

/** The schema of an API key. `checkKeys` requires exactly one of `secret` and `hash`. */
export const keySchema = z
  .strictObject({
    id: required(
      identifier,
      'Identifies the key in logs. Everything that clients store with this key belongs to its id. Clients see it at [`GET /dragoman/key`](limits.md#what-a-key-knows-of-itself) alone.',
    ),
    secret: optional(
      secret,
      'The API key that clients send. `env:NAME` reads it from the environment, `file:/path` from a file. A key has either `secret` or `hash`.',
      'none',
    ),
    hash: optional(
      secretHash,
      '`sha256:` and the 64 hex digits of the SHA-256 of the secret. It keeps the secret out of the file.',
      'none',
    ),
    models: optional(
      modelNames,
      'Names and patterns (`gpt-*`) of the models that the key may use. For its clients, all other models do not exist, [wherever a request names them](clients.md#other-models-of-a-request).',
      'all models',
    ),
    labels: optional(
      labelsSchema,
      'Words about the key for operators, by name. They change nothing for its clients.',
      'none',
    ),
    expiresAt: optional(
      keyTime,
      'When the key expires: an ISO 8601 date, an ISO 8601 time with its zone, or milliseconds since 1970. In TypeScript also a `Date`.',
      'never',
    ),
    disabled: withDefault(flag, 'Whether the key is rejected.', false),
    team: optional(
      identifier,
      'The team of the key, by its id in `teams`. Its models and limits apply beside those of the key.',
      'none',
    ),
    quotas: optional(quotasSchema, '[Limits](limits.md) of the key.', 'no limits'),
    explain: withDefault(
      flag,
      'Whether clients may ask how a request is routed: a request with `x-dragoman-explain: 1` gets the headers `x-dragoman-route`, which names accounts, and `x-dragoman-cost`.',
      false,
    ),
    losses: optional(
      lossesSchema,
      'Replaces the top-level `losses` for this key.',
      'the top-level `losses`',
    ),
    errors: optional(
      errorsSchema,
      'Replaces the top-level `errors` for this key.',
      'the top-level `errors`',
    ),
  })
  .meta({ oneOf: [{ required: ['secret'] }, { required: ['hash'] }] })

/** An API key without its secret. `expiresAt` is in milliseconds since 1970. */
export interface KeySetting {
  id: string
  /** `sha256:` and 64 hex digits. */
  hash: string
  /** Names and patterns. Absent: all models. */
  models?: string[]
  labels?: Record<string, string>
  expiresAt?: number
  disabled: boolean
  /** The id of its team. */
  team?: string
  quotas?: readonly QuotaSetting[]
  explain?: boolean
  /** Absent: the top-level policy. */
  losses?: LossPolicy
  /** Absent: the top-level form. */
  errors?: ErrorForm
}

/** Returns the valid keys, and adds the problems of the others to `problems` and the paths of short secrets to `short`. */
export function checkKeys(
  list: readonly unknown[],
  env: EnvironmentVariables,
  problems: Problem[],
  short: string[],
): KeySetting[] {
  const pathsOfHashes = new Map<string, string>()
  problems.push(...repeatedIds('keys', list))
  return list.flatMap((value, index) => {
    const path = `keys[${index}]`
    const input = checkShape(keySchema, value, path, problems)
    const hash = checkHash(value, path, { env, problems, example: 'TEAM_A_KEY', short })
    if (!input || hash === undefined) return []
    const twin = pathsOfHashes.get(hash)
    if (twin) problems.push(sameSecret(path, twin, 'key'))
    pathsOfHashes.set(hash, path)
    const subject = { type: 'key', id: input.id } as const
    problems.push(...quotaProblems(`${path}.quotas`, subject, input.quotas))
    return [keySetting(input, hash)]
  })
}

function keySetting(
  { id, expiresAt, disabled, explain, ...rest }: z.output<typeof keySchema>,
  hash: string,
): KeySetting {
  const expiry = expiresAt === undefined ? undefined : new Date(expiresAt).getTime()
  const { models, team, labels, quotas, losses, errors } = rest
  const absent = { models, team, labels, quotas, losses, errors, expiresAt: expiry }
  return { id, hash, disabled, explain, ...defined(absent) }
}
