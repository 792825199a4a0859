import type { BlockList } from 'node:net'

import { z } from 'zod'

import { GatewayError } from '../src/contract/errors.ts'
import { type GatewayPlugin, definePlugin } from '../src/contract/plugin.ts'
import { plain } from '../src/exchange/client.ts'
import { familyOf, listOf, parseAddressRange } from '../src/remote/network.ts'

const network = z
  .string()
  .refine(isNetwork, {
    error: 'is no address or network such as 10.0.0.0/8',
    params: { fix: 'write an address (203.0.113.7) or a network (10.0.0.0/8, 2001:db8::/32)' },
  })
  .meta({ secret: false })

/** The options. */
export const options = z
  .strictObject({
    /** Addresses and networks that may call: `203.0.113.7`, `10.0.0.0/8`, `2001:db8::/32`. Absent: all. */
    allow: z.array(network).optional(),
    /** Addresses and networks that may not, also if `allow` has them. */
    deny: z.array(network).default([]),
    /** Networks from which an API key may be used, by the key's id. Other keys may be used from everywhere. */
    keys: z.record(z.string(), z.array(network)).default({}),
  })
  .refine(({ allow, deny, keys }) => allow || deny.length > 0 || Object.keys(keys).length > 0, {
    error: 'allows and denies nothing',
    params: { fix: 'write allow, deny or keys, for example { allow: [203.0.113.0/24] }' },
  })

/**
 * Refuses clients by their address: the peer of the connection, or the client that a trusted proxy reports. `allow` and
 * `deny` hold for all paths of the public address except the probes; `keys` holds for each path that needs a key.
 */
export default function ipLists(given: z.input<typeof options>): GatewayPlugin {
  const { allow, deny, keys } = options.parse(given)
  const allowed = allow && listOfNetworks(allow)
  const denied = listOfNetworks(deny)
  const hasLists = allow !== undefined || deny.length > 0
  const ofKeys = new Map(
    Object.entries(keys).map(([id, networks]) => [id, listOfNetworks(networks)]),
  )

  return definePlugin({
    name: 'ip-lists',
    warnings: ({ keys: known }) => [
      ...(allow?.length === 0 ? ['allow is an empty list, so every client is refused'] : []),
      // Ids with a colon are callers that other plugins know.
      ...[...ofKeys.keys()]
        .filter((id) => known && !known.has(id) && !id.includes(':'))
        .map((id) => `keys: no API key has the id ${JSON.stringify(id)}`),
    ],
    onExchange({ exchange: { request }, next }) {
      const { remoteAddress: address, path, isAddressUnclear } = request
      if (probes.has(path) || !hasLists) return next()
      if (isAddressUnclear || has(denied, address)) throw refused()
      if (allowed && !has(allowed, address)) throw refused()
      return next()
    },
    onCaller({ exchange: { caller, request } }) {
      const own = ofKeys.get(caller.keyId)
      if (!own) return
      if (request.isAddressUnclear || !has(own, request.remoteAddress)) throw refused()
    },
  })
}

/** Load balancers ask from addresses that no client has. */
const probes: ReadonlySet<string> = new Set(['/livez', '/readyz', '/healthz', '/startupz'])

function refused(): GatewayError {
  return new GatewayError('permission_denied', 'Calls from this address are not allowed.')
}

function isNetwork(text: string): boolean {
  try {
    return parseAddressRange(text).length > 0
  } catch {
    return false
  }
}

function listOfNetworks(networks: readonly string[]): BlockList {
  return listOf(networks.map((text) => parseAddressRange(text)))
}

/** An unknown address is in no list. */
function has(list: BlockList, address: string): boolean {
  const known = plain(address)
  const family = familyOf(known)
  return family !== undefined && list.check(known, family)
}
