import { isIP } from 'node:net'

import { createAddressGuard } from '../remote/guard.ts'

const isPublicAddress = createAddressGuard()

/** Names that resolve in one's own network only. */
const ownNames =
  /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)\.?$/

/** Whether a provider's servers can be expected to reach it, as far as its host says. */
export function isPublicUrl(text: string): boolean {
  const url = URL.parse(text)
  if (!url) return false
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return isPublicAddress(host, Number(url.port) || 443)
  return host.includes('.') && !ownNames.test(host)
}
