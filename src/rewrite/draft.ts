import { parseBody } from '../body/read-body.ts'
import type { RequestBody } from '../contract/body.ts'
import type { Understood } from '../contract/exchange.ts'
import type { Limits } from '../contract/limits.ts'
import { leaseOf } from '../exchange/record.ts'
import { type ByteEdit, applyEdits } from '../lib/json/edit.ts'
import type { MeasuredJson } from '../lib/json/layout.ts'
import { freeBytes } from '../contract/memory.ts'
import { JsonMeasure, smallJson } from '../lib/json/measure.ts'

const unmeasured: ReadonlyMap<number, number> = new Map()

/** Measures the bytes of a large body, so that its values can be found in little time. */
export function measured({ bytes }: RequestBody, limits: Limits): MeasuredJson {
  if (bytes.length <= smallJson) return { bytes, ends: unmeasured }
  return { bytes, ends: JsonMeasure.of(bytes, limits).ends }
}

/** A body with other bytes, parsed. Rejects with `GatewayError` beyond the limits. */
export function edited(
  exchange: Understood,
  { bytes }: Pick<RequestBody, 'bytes'>,
  edits: readonly ByteEdit[],
  limits: Limits,
): Promise<RequestBody> {
  return parsed(exchange, applyEdits(bytes, edits), limits)
}

/** A body of these bytes. Rejects with `GatewayError` beyond the limits. */
export async function parsed(
  exchange: Understood,
  bytes: Buffer,
  limits: Limits,
): Promise<RequestBody> {
  if (bytes.length > limits.jsonBodyBytes) {
    throw new Error(`The changed request has more than ${limits.jsonBodyBytes} bytes.`)
  }
  const lease = leaseOf(exchange)
  await lease.hold('body', bytes.length > freeBytes ? bytes.length : 0)
  if (bytes.length <= smallJson) void lease.hold('tree', 0)
  return parseBody(bytes, { limits, lease: () => lease })
}
