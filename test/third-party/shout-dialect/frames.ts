import { formatFrame, type GatewayError } from '../../../src/dialect-kit/index.ts'
import { shoutError } from './errors.ts'

/** A voice that draws breath says nothing. */
export const keepAliveFrame = formatFrame('breath', {})

/** The end of a stream that broke. */
export function coughFrame(error: GatewayError, id: string): string {
  return formatFrame('cough', { ...(shoutError(error).body as object), id })
}
