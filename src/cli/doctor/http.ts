import { Agent, request as send } from 'undici'

import { describeCallError } from '../../upstream/call-error.ts'

/** The most bytes of a body that are read. */
const mostBytes = 16 * 1024

/** The answer of a server. */
export interface LittleAnswer {
  readonly status: number
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The beginning of the body. */
  readonly text: string
}

/** A request of a check. */
interface LittleRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** How long it may take to its last byte, in milliseconds. */
  readonly longestMs: number
  /** Called with each part of the body as it arrives. */
  readonly onData?: (text: string) => void
}

/**
 * Sends a request and reads the beginning of its answer. Follows no redirect. Rejects if there is no
 * answer.
 */
export async function askLittle(url: URL, request: LittleRequest): Promise<LittleAnswer> {
  const { longestMs, onData = () => {}, method = 'GET', headers = {}, body = null } = request
  // Not `fetch`, which refuses the ports of other protocols and decodes compressed replies.
  const agent = new Agent()
  try {
    const signal = AbortSignal.timeout(longestMs)
    const options = { dispatcher: agent, method, headers, body, signal }
    const answer = await send(url, options)
    const decoder = new TextDecoder()
    let text = ''
    let bytes = 0
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      const part = decoder.decode(chunk, { stream: true })
      text += part
      onData(part)
      bytes += chunk.length
      if (bytes > mostBytes) break
    }
    return { status: answer.statusCode, headers: answer.headers, text }
  } finally {
    await agent.destroy()
  }
}

/** Why `askLittle` rejected, in a sentence without a secret. */
export function reasonOf(error: unknown): string {
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  return isLate ? 'It does not answer in time.' : describeCallError(error)
}
