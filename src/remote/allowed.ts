import type { BlockList } from 'node:net'

import { familyOf, listOf, malformed, readRange } from './network.ts'
import type { Range } from './ranges.ts'

/** Whether an operator allows the address of a host. */
export type Allowed = (address: string, port: number, host: string) => boolean

/** The last label of a name has a letter; whatever has none is read as an address. */
const name = /^(?:[a-z0-9_-]+\.)*[a-z0-9-]*[a-z][a-z0-9-]*\.?$/i

/** Reads `10.0.0.5:443`, `10.1.0.0/16:8443`, `[fd00::5]:443` and `media.internal:443`. */
export function readAllowed(texts: readonly string[]): Allowed {
  const names = new Set<string>()
  const ranges = new Map<number, Range[]>()
  for (const text of texts) {
    const [, bracketed, plain = '', digits] = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? []
    const port = Number(digits)
    if (!isPort(port)) throw malformed(text, 'a host with a port')
    if (name.test(plain)) names.add(`${plainName(plain)}:${port}`)
    else ranges.set(port, [...(ranges.get(port) ?? []), readRange(bracketed ?? plain, text)])
  }
  const networks = new Map<number, BlockList>()
  for (const [port, ofPort] of ranges) networks.set(port, listOf(ofPort))

  return (address, port, host) =>
    names.has(`${plainName(host)}:${port}`) ||
    (networks.get(port)?.check(address, familyOf(address)) ?? false)
}

export function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535
}

/** Names are the same in any case, and with a dot at their end. */
function plainName(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}
