import { GatewayError } from '../../src/contract/errors.ts'
import type { Understood } from '../../src/contract/exchange.ts'
import { leaseOf } from '../../src/exchange/record.ts'
import type { ReadOptions } from '../../src/stores/store.ts'

/** The most memory of the items that one call references, in bytes: enough for 60 MiB of ASCII. */
const mostItemBytes = 192 * 1024 * 1024

/** How records are read for a call: large records count in the memory of its exchange until the end. */
export function readFor(exchange: Understood): ReadOptions {
  const { keyId } = exchange.caller
  return {
    owner: keyId,
    admit(bytes) {
      const lease = leaseOf(exchange)
      return lease.hold('stored', lease.held('stored') + bytes)
    },
  }
}

/** The same for items that a call references, whose number is up to the client. */
export function readItemsFor(exchange: Understood): ReadOptions {
  const { admit, owner } = readFor(exchange)
  let read = 0
  return {
    owner,
    admit(bytes) {
      read += bytes
      if (read > mostItemBytes) throw itemsTooLarge()
      return admit?.(bytes)
    },
  }
}

function itemsTooLarge(): GatewayError {
  const message = 'The items that the request references are too large together.'
  return new GatewayError('request_too_large', message)
}
