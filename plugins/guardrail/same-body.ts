import { excessError } from '../../src/body/held-body.ts'
import type { RequestBody } from '../../src/contract/body.ts'
import { GatewayError } from '../../src/contract/errors.ts'
import { JsonMeasure, valuesOfNumber } from '../../src/lib/json/measure.ts'
import { isSameJson } from '../../src/lib/json/same.ts'
import type { Work } from '../../src/lib/turns.ts'

/** The body has been measured by the limits of the gateway, if it is large. */
const unlimited = { jsonDepth: Infinity, jsonValues: Infinity }

/**
 * Throws `GatewayError` 422 if the bytes of a body, which accounts of the client's dialect get, differ from its
 * parsed value: rules would look at another text. A name occurs twice in an object, or a plugin has changed the value
 * where it stands. Throws 400 for a number that is too long.
 */
export function* assertSameBody({ bytes, json }: RequestBody): Work<void> {
  if (bytes.length === 0) return
  const { excess, values } = JsonMeasure.of(bytes, unlimited)
  if (excess) throw excessError(excess, unlimited)
  yield
  const text = bytes.toString()
  yield
  const sent: unknown = JSON.parse(text)
  yield
  // The parser keeps one of several members of the same name.
  if (valuesIn(sent) !== values) {
    throw rejected('A name occurs more than once in an object of the request.')
  }
  yield
  if (!isSameJson(sent, json)) {
    throw rejected('A plugin has changed the request in a way that accounts do not see.')
  }
}

/** The values and names of a JSON value, as `JsonMeasure` counts them in its text. */
function valuesIn(value: unknown): number {
  if (typeof value === 'number') return valuesOfNumber
  if (typeof value !== 'object' || value === null) return 1
  const members: readonly unknown[] = Object.values(value)
  const names = Array.isArray(value) ? 0 : members.length
  return members.reduce((sum: number, one) => sum + valuesIn(one), 1 + names)
}

function rejected(message: string): GatewayError {
  return new GatewayError('plugin_rejected', message, { retry: false })
}
