import { z } from 'zod'

import {
  described,
  expects,
  flag,
  identifier,
  lossesSchema,
  modelNames,
  secret,
} from './schema-nodes.ts'

/** A time at which a secret expires. */
export const keyTime = z
  .union([z.date(), z.iso.datetime({ offset: true }), z.iso.date(), z.number().min(1e11)])
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
    hidden: true,
  })

/** The schema of an API key. `checkKeys` requires exactly one of `secret` and `hash`. */
export const keySchema = z
  .strictObject({
    id: described(
      identifier,
      'Identifies the key in logs. Everything that clients store with this key belongs to its id. Clients never see it.',
    ),
    secret: described(
      secret,
      'The API key that clients send. `env:NAME` reads it from the environment, `file:/path` from a file. A key has either `secret` or `hash`.',
      { defaultText: 'none' },
    ).optional(),
    hash: described(
      secretHash,
      '`sha256:` and the 64 hex digits of the SHA-256 of the secret. It keeps the secret out of the file.',
      { defaultText: 'none' },
    ).optional(),
    models: described(
      modelNames,
      'Names and patterns (`gpt-*`) of the models that the key may use. For its clients, all other models do not exist, [wherever a request names them](clients.md#other-models-of-a-request).',
      { defaultText: 'all models' },
    ).optional(),
    expiresAt: described(
      keyTime,
      'When the key expires: an ISO 8601 date, an ISO 8601 time with its zone, or milliseconds since 1970. In TypeScript also a `Date`.',
      { defaultText: 'never' },
    ).optional(),
    disabled: described(flag, 'Whether the key is rejected.', { default: false }).optional(),
    explain: described(
      flag,
      'Whether clients may ask how a request is routed: a request with `x-dragoman-explain: 1` gets the header `x-dragoman-route`, which names accounts.',
      { default: false },
    ).optional(),
    losses: described(lossesSchema, 'Replaces the top-level `losses` for this key.', {
      defaultText: 'the top-level `losses`',
    }).optional(),
  })
  .meta({ oneOf: [{ required: ['secret'] }, { required: ['hash'] }] })
