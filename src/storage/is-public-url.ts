import { isIP } from 'node:net'

import { createAddressGuard } from '../remote/guard.ts'

const isPublicAddress = createAddressGuard()

/** Names that resolve only in a private network. */
const ownNames =
  /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)\.?$/

/** Whether a provider's servers can probably reach a URL, judged by its host without resolving it. */
export function isPublicUrl(text: string): boolean {
  const url = URL.parse(text)
  if (!url) return false
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return isPublicAddress(host, Number(url.port) || 443)
  return host.includes('.') && !ownNames.test(host)
}
