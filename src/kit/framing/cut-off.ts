import { GatewayError } from '../../contract/errors.ts'

/** The error for a stream that ends in the middle of a frame. */
export function cutInFrame(): GatewayError {
  return new GatewayError(
    'upstream_stream_broken',
    "The upstream's stream was cut off in the middle of a frame.",
  )
}

/** The error for bytes that are no frame. `why`: such as `a checksum is wrong`. */
export function brokenFrame(why: string): GatewayError {
  return new GatewayError('upstream_stream_broken', `The upstream sent a malformed frame: ${why}.`)
}
