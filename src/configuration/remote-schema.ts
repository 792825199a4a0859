import { z } from 'zod'

import { type GuardOptions, createAddressGuard } from '../remote/guard.ts'
import { bytes, expects, milliseconds } from './schema-nodes.ts'

const orNone = z.int().nonnegative().meta(expects('a whole number, or 0 for none', 3))

const place = z
  .string()
  .refine((text) => isUnderstood({ allow: [text] }))
  .meta(expects('a host or a network with a port', 'media.internal:443'))

const network = z
  .string()
  .refine((text) => isUnderstood({ forbid: [text] }))
  .meta(expects('an address or a network', '10.1.0.0/16'))

const port = z.int().min(1).max(65_535).meta(expects('a whole number from 1 to 65535', 443))

/** How remote files of clients are fetched. */
export const remoteSchema = z
  .strictObject({
    allowHttp: z.boolean().meta(expects('true or false', true)).optional(),
    allow: z
      .array(place)
      .meta(expects('a list of hosts or networks with a port', ['media.internal:443']))
      .optional(),
    forbid: z
      .array(network)
      .meta(expects('a list of addresses or networks', ['5.6.0.0/16']))
      .optional(),
    ports: z
      .array(port)
      .min(1)
      .meta(expects('a list of at least one port', [443]))
      .optional(),
    maxBytes: bytes.optional(),
    maxTotalBytes: bytes.optional(),
    maxFiles: orNone.optional(),
    timeoutMs: milliseconds.optional(),
    totalTimeoutMs: milliseconds.optional(),
    maxRedirects: orNone.optional(),
  })
  .meta(expects('an object of settings', { maxFiles: 5 }))

function isUnderstood(options: GuardOptions): boolean {
  try {
    createAddressGuard(options)
    return true
  } catch {
    return false
  }
}
