import { wrong } from '../../../../src/checks.ts'
import type { JsonObject } from '../../../../src/codec.ts'
import { GatewayError } from '../../../../src/errors.ts'
import { largestChanged, sizeOf } from '../../../../src/kept-size.ts'
import { newId } from '../../../../src/translate/ids.ts'
import { inputItemsOf, responsesCodec } from '../codec/index.ts'

/**
 * The `items` of a request as they are kept, after these. What no account could be told is refused
 * at once: it would be in the way of every later response.
 */
export function newItems(items: unknown, before: readonly JsonObject[]): JsonObject[] {
  refuseUnreadable(items)
  const added = inputItemsOf(items, newId)
  if (sizeOf(before) + sizeOf(added) > largestChanged) {
    throw wrong('items', `no more than ${largestChanged / 1024 / 1024} MiB with those before`)
  }
  return added
}

function refuseUnreadable(items: unknown): void {
  const body = { input: items ?? [] }
  try {
    const { extras } = responsesCodec.decodeRequest({ body, stream: false, query: '', headers: {} })
    const missing = extras.find(({ treatment }) => treatment === 'native')
    if (missing) throw new GatewayError('invalid_value', missing.reason, { param: missing.field })
  } catch (error) {
    throw GatewayError.isInstance(error) ? aboutItems(error) : error
  }
}

/** They were read as the input that they will be. */
function aboutItems({ code, message, param = '' }: GatewayError): GatewayError {
  const field = param.replace(/^input/, 'items')
  return new GatewayError(code, message.replace(param, field), { param: field })
}
