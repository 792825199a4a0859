import { eventsOf } from '../../api/event-stream.ts'
import { noteError } from '../../api/query.ts'
import { failureOf, send } from '../../api/request.ts'
import type { Json, PlaygroundDialect, Prompt } from './dialects.ts'

/** A call of the Playground, as far as it has come. */
export interface Reply {
  /** `ended`: the gateway has ended the reply. `broken`: the reply broke off, or never began. */
  readonly state: 'waits' | 'replies' | 'ended' | 'broken' | 'left'
  readonly status: number | undefined
  /** The id of the call, once the reply has begun. */
  readonly id: string | undefined
  readonly text: string
  /** The events, or the whole body, as they came; the last ones only. */
  readonly raw: readonly string[]
  readonly problem: string | undefined
}

/** Before the call. */
export const noReply: Reply = {
  state: 'waits',
  status: undefined,
  id: undefined,
  text: '',
  raw: [],
  problem: undefined,
}

/** So many events are kept, and so many characters of each and of the text. */
const mostRaw = 500
const mostText = 20_000
const mostOutput = 1_000_000

/** The gateway sends a sign of life before, in milliseconds. */
const silentMs = 120_000

/** Calls a model through the admin address, and shows the reply as it comes. */
export async function runCall(
  dialect: PlaygroundDialect,
  prompt: Prompt,
  key: string,
  signal: AbortSignal,
  show: (reply: Reply) => void,
): Promise<void> {
  let reply = noReply
  const change = (part: Partial<Reply>) => show((reply = { ...reply, ...part }))
  try {
    const { path, headers, body } = dialect.call(prompt, key)
    const call = {
      method: 'POST',
      path,
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    }
    const response = await send('console/call', { body: call, accept: '*/*', signal })
    // An error of this address, not of the call.
    if (response.headers.get('x-dragoman-call') !== 'answered') throw await failureOf(response)
    change({
      state: 'replies',
      status: response.status,
      id: response.headers.get('x-request-id') ?? undefined,
    })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    if (isStream && response.body) await readStream(response.body)
    else readWhole(await response.text(), response.ok)
  } catch (error) {
    if (signal.aborted) return change({ state: 'left' })
    noteError(error)
    change({ state: 'broken', problem: error instanceof Error ? error.message : String(error) })
  }

  async function readStream(stream: ReadableStream<Uint8Array>): Promise<void> {
    let isWhole = false
    for await (const data of eventsOf(stream, silentMs)) {
      if (data === '') continue
      isWhole ||= dialect.last.test(data)
      const raw = [...reply.raw.slice(1 - mostRaw), data.slice(0, mostText)]
      const event = parse(data)
      if (!event) {
        change({ raw })
        continue
      }
      const problem = problemOf(event)
      change({
        raw,
        text: (reply.text + dialect.deltaOf(event)).slice(0, mostOutput),
        ...(problem !== undefined && { problem }),
      })
    }
    change({ state: isWhole && reply.problem === undefined ? 'ended' : 'broken' })
  }

  function readWhole(text: string, isSuccess: boolean): void {
    const body = parse(text)
    const raw = [body ? JSON.stringify(body, null, 2) : text]
    if (isSuccess && body) return change({ state: 'ended', raw, text: dialect.textOf(body) })
    change({ state: 'ended', raw, problem: (body && problemOf(body)) ?? text.slice(0, 500) })
  }
}

/** The message of an error, in whichever dialect. */
function problemOf({ error, type, message, response }: Json): string | undefined {
  const found = error?.['message'] ?? response?.['error']?.['message']
  if (typeof found === 'string') return found
  if ((type as unknown) === 'error' && typeof message === 'string') return message
  return undefined
}

function parse(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null ? (value as Json) : undefined
  } catch {
    return undefined
  }
}
