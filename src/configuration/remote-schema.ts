import { z } from 'zod'

import { type GuardOptions, createAddressGuard } from '../remote/guard.ts'
import { bytes, described, expects, flag, milliseconds } from './schema-nodes.ts'
import { defaults } from './settings.ts'

const orNone = z.int().nonnegative().meta(expects('a whole number, or 0 for none', 3))

const host = z
  .string()
  .refine((text) => isUnderstood({ allow: [text] }))
  .meta(expects('a host or a network with a port', 'media.internal:443'))

const network = z
  .string()
  .refine((text) => isUnderstood({ forbid: [text] }))
  .meta(expects('an address or a network', '10.1.0.0/16'))

const port = z.int().min(1).max(65_535).meta(expects('a whole number from 1 to 65535', 443))

const { remote } = defaults

/** The schema of `remote`. */
export const remoteSchema = z
  .strictObject({
    allowHttp: described(flag, 'Whether `http:` URLs are accepted.', {
      default: remote.allowHttp,
    }).optional(),
    allow: described(
      z
        .array(host)
        .meta(expects('a list of hosts or networks with a port', ['media.internal:443'])),
      'Hosts and networks, each with a port, that the gateway may reach although they are not public: `media.internal:443`, `10.1.0.0/16:8443`. Every client can read the files that they serve.',
      { default: remote.allow },
    ).optional(),
    forbid: described(
      z.array(network).meta(expects('a list of addresses or networks', ['5.6.0.0/16'])),
      'Networks that the gateway must not reach, in addition to those that are not public: `5.6.0.0/16`.',
      { default: remote.forbid },
    ).optional(),
    ports: described(
      z
        .array(port)
        .min(1)
        .meta(expects('a list of at least one port', [443])),
      'The only ports that the gateway may reach.',
      { defaultText: 'all ports' },
    ).optional(),
    maxBytes: described(bytes, 'Largest file.', { default: remote.maxBytes }).optional(),
    maxTotalBytes: described(bytes, 'All files of a request together.', {
      default: remote.maxTotalBytes,
    }).optional(),
    maxFiles: described(
      orNone,
      'Different URLs in a request. With 0 the gateway fetches no URLs of clients or accounts, except to download videos.',
      { default: remote.maxFiles },
    ).optional(),
    timeoutMs: described(milliseconds, 'For one file, redirects included.', {
      default: remote.timeoutMs,
    }).optional(),
    totalTimeoutMs: described(milliseconds, 'For all files of a request.', {
      default: remote.totalTimeoutMs,
    }).optional(),
    maxRedirects: described(orNone, 'Redirects for one file.', {
      default: remote.maxRedirects,
    }).optional(),
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
