import type { ServerResponse } from 'node:http'

/** The headers of every answer for browsers: the answer is data, and belongs to no other site. */
const securityHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Sets the headers of every answer of the admin address. A page replaces its own. */
export function setSecurityHeaders(response: ServerResponse): void {
  for (const name in securityHeaders) response.setHeader(name, securityHeaders[name]!)
}
