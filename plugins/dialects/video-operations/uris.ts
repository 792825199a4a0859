import type { ClientRequest } from '../../../src/exchange.ts'

/**
 * What the URIs of files begin with. `https` whatever the gateway itself is asked with: Google's SDKs
 * take the file's name out of such URIs alone, and ask their own base URL for it. A gateway that does
 * not know its address gives the client the host that it asked.
 */
export function uriBase(
  { headers }: Pick<ClientRequest, 'headers'>,
  address: string | undefined,
): string {
  const known = address === undefined ? null : URL.parse(address)
  if (known) return `https://${known.host}${known.pathname.replace(/\/+$/, '')}`
  const { host = '' } = headers
  return `https://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}`
}
