import type { RequestBody } from '../../src/contract/body.ts'
import { GatewayError } from '../../src/contract/errors.ts'
import { skipString } from '../../src/lib/json/scan.ts'
import type { Steps } from '../../src/lib/steps.ts'

const quote = 0x22
const colon = 0x3a

/** Bytes outside of texts that are looked at in one step. */
const stride = 64 * 1024

/**
 * Throws `GatewayError` 422 if a name occurs twice in an object of a body: an account could read the value that no
 * rule has seen. The bytes have then more names than the value.
 */
export function* assertNoRepeats({ bytes, json }: RequestBody): Steps<void> {
  if ((yield* namesInBytes(bytes)) <= (yield* namesIn(json))) return
  const message = 'A name occurs more than once in an object of the request.'
  throw new GatewayError('plugin_rejected', message, { retry: false })
}

function* namesInBytes(bytes: Buffer): Steps<number> {
  let names = 0
  let pause = stride
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]
    if (byte === colon) names++
    at = byte === quote ? skipString(bytes, at) : at + 1
    if (at < pause) continue
    pause = at + stride
    yield
  }
  return names
}

function* namesIn(value: unknown): Steps<number> {
  if (typeof value !== 'object' || value === null) return 0
  yield
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value)
  let names = Array.isArray(value) ? 0 : members.length
  for (const member of members) {
    if (typeof member === 'object' && member !== null) names += yield* namesIn(member)
  }
  return names
}
