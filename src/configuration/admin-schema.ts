import { z } from 'zod'

import { roles } from '../contract/roles.ts'
import { keyTime, secretHash } from './key-schema.ts'
import { described, expects, identifier, secret } from './schema-nodes.ts'

/** The schema of a role. */
export const roleSchema = z.enum(roles).meta(expects("'viewer', 'operator' or 'admin'", 'viewer'))

/** The schema of an admin token. `checkAdminTokens` requires exactly one of `secret` and `hash`. */
export const adminTokenSchema = z
  .strictObject({
    id: described(identifier, 'Identifies the token in the audit log.'),
    secret: described(
      secret,
      'The token that operators send. At least 32 random characters; `env:NAME` reads them from the environment. A token has either `secret` or `hash`.',
      { defaultText: 'none' },
    ).optional(),
    hash: described(
      secretHash,
      '`sha256:` and the 64 hex digits of the SHA-256 of the secret. It keeps the secret out of the file.',
      { defaultText: 'none' },
    ).optional(),
    role: described(
      roleSchema,
      'What the token permits: `viewer` reads; `operator` also steers what runs; `admin` also changes keys, accounts and tokens.',
    ),
    expiresAt: described(
      keyTime,
      'When the token expires: an ISO 8601 date, an ISO 8601 time with its zone, or milliseconds since 1970. In TypeScript also a `Date`.',
      { defaultText: 'never' },
    ).optional(),
  })
  .meta({ oneOf: [{ required: ['secret'] }, { required: ['hash'] }] })
