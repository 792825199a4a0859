import type { ServerResponse } from 'node:http'

import type { Progress } from '../contract/exchange.ts'
import type { Summary } from '../contract/outcome.ts'

/** Summarises an exchange after the last byte of its reply, or after its client has left. */
export function summarize(
  progress: Progress,
  response: ServerResponse,
  durationMs: number,
): Summary {
  const complete = response.writableFinished || hasLastFrame(progress, response)
  const gone = progress.error?.code === 'client_closed_request' || (!complete && !progress.error)
  const isBroken = !complete || (progress.streamed && progress.outcome?.error !== undefined)
  return {
    status: gone && !response.headersSent ? 499 : response.statusCode,
    end: gone ? 'client_gone' : isBroken ? 'broken' : 'complete',
    durationMs,
  }
}

/** Many clients close the connection as soon as they have read the frame that completes a stream. */
function hasLastFrame({ concluded, stream }: Progress, response: ServerResponse): boolean {
  return concluded && response.writableLength === 0 && stream?.readableLength === 0
}
