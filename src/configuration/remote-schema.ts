import { z } from 'zod'

import { type GuardOptions, createAddressGuard } from '../remote/guard.ts'
import { withDefaults } from '../remote/options.ts'
import { bytes, expects, flag, milliseconds, withDefault } from './schema-nodes.ts'

const orNone = z.int().nonnegative().meta(expects('a whole number, or 0 for none', 3))

const host = z
  .string()
  .refine((text) => isUnderstood({ allow: [text] }))
  .meta(expects('a host or a network with a port', 'media.internal:443'))

const network = z
  .string()
  .refine((text) => isUnderstood({ forbid: [text] }))
  .meta(expects('an address or a network', '10.1.0.0/16'))

const remote = withDefaults({})

/** The schema of `remote`. */
export const remoteSchema = z
  .strictObject({
    allowHttp: withDefault(flag, 'Whether `http:` URLs are accepted.', remote.allowHttp),
    allow: withDefault(
      z
        .array(host)
        .meta(expects('a list of hosts or networks with a port', ['media.internal:443'])),
      'Hosts and networks, each with a port, that the gateway may reach although they are not public: `media.internal:443`, `10.1.0.0/16:8443`. Every client can read the files that they serve.',
      [],
    ),
    forbid: withDefault(
      z.array(network).meta(expects('a list of addresses or networks', ['5.6.0.0/16'])),
      'Networks that the gateway must not reach, in addition to those that are not public: `5.6.0.0/16`.',
      [],
    ),
    maxBytes: withDefault(bytes, 'Largest file.', remote.maxBytes),
    maxFiles: withDefault(
      orNone,
      'Different URLs in a request. With 0 the gateway fetches no URLs of clients or accounts, except to download videos.',
      remote.maxFiles,
    ),
    timeoutMs: withDefault(milliseconds, 'For one file, redirects included.', remote.timeoutMs),
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
