import type { RequestBody } from '../../../../src/contract/body.ts'
import type { Dialect } from '../../../../src/contract/dialect.ts'
import { GatewayError } from '../../../../src/contract/errors.ts'
import type { Authenticated } from '../../../../src/contract/exchange.ts'
import type { AccountFiles } from '../../../../src/contract/files.ts'
import type { MemoryLease } from '../../../../src/contract/memory.ts'
import { checkArray, requireField, requireString } from '../../../../src/kit/checks.ts'
import { type JsonObject, isObject } from '../../../../src/lib/json/object.ts'
import {
  type ByteRange,
  decodeString,
  eachMember,
  endOfValue,
  passElements,
} from '../../../../src/lib/json/scan.ts'
import {
  type BatchRequests,
  RequestReader,
  endpointOf,
  ofRequest,
} from '../../shared/batch-requests.ts'

/** The most requests of a batch (docs/wire/anthropic.md 1.8). */
const mostRequests = 100_000

/** The memory of the whole body counts for its requests. */
const counted: MemoryLease = { held: () => 0, hold: () => undefined, [Symbol.dispose]: () => {} }

/**
 * Reads the requests of a batch, and checks each as `POST /v1/messages` does. Rejects with `GatewayError` that names the
 * request.
 */
export async function readRequests(
  exchange: Authenticated,
  { json, bytes, members }: RequestBody,
  { dialects, files }: { readonly dialects: readonly Dialect[]; readonly files: AccountFiles },
): Promise<BatchRequests> {
  requireField(json, 'requests')
  checkArray(json, 'requests', 1, mostRequests)
  const list = json['requests'] as readonly unknown[]
  const endpoint = endpointOf(dialects, '/v1/messages')
  const lease = () => counted
  const reader = new RequestReader({ exchange, files, lease, mostRequests })
  const places = paramsIn(bytes, members.get('requests')!)
  for (const [index, request] of list.entries()) {
    const place = `requests[${index}]`
    const within = { place, number: index + 1, param: place }
    try {
      const params = paramsOf(request, places[index])
      const own = { bytes: bytes.subarray(params.start, params.end), at: params.start }
      await reader.read({ ...endpoint, ...own, within })
    } catch (error) {
      throw ofRequest(error, within)
    }
  }
  return reader.finish('requests')
}

/** Where the `params` of each request are. */
function paramsIn(bytes: Buffer, list: ByteRange): (ByteRange | undefined)[] {
  const places: (ByteRange | undefined)[] = []
  passElements(bytes, list.start, (start) => {
    let found: ByteRange | undefined
    eachMember(bytes, start, (key, value) => {
      if (decodeString(bytes, key) === 'params') found = value
    })
    places.push(found)
    return endOfValue(bytes, start)
  })
  return places
}

function paramsOf(request: unknown, place: ByteRange | undefined): ByteRange {
  const own: JsonObject = isObject(request) ? request : {}
  requireString(own, 'custom_id')
  if (!place || !isObject(own['params'])) {
    throw new GatewayError('missing_required_parameter', '`params` is required.')
  }
  return place
}
