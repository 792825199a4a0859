import { eventsOf } from '../../api/event-stream.ts'
import { pause } from '../../api/pause.ts'
import { noteError } from '../../api/query.ts'
import { failureOf, send } from '../../api/request.ts'
import { bytes } from '../../format/numbers.ts'
import type { Json, PlaygroundCall, PlaygroundDialect, Prompt } from './dialect.ts'
import { type VideoJob, imagesOf, jobOf, videoCall } from './media-dialects.ts'

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
  /** In base64. */
  readonly images?: readonly string[]
  readonly job?: VideoJob | undefined
  readonly audio?: Blob
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
/** How often a video is asked for, in milliseconds. */
const askMs = 2_000

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
    const response = await sendCall(dialect.call(prompt, key), signal)
    change({
      state: 'replies',
      status: response.status,
      id: response.headers.get('x-request-id') ?? undefined,
    })
    const type = response.headers.get('content-type') ?? ''
    if (type.startsWith('text/event-stream') && response.body) await readStream(response.body)
    else if (response.ok && dialect.makes === 'audio') await readAudio(response, type)
    else await readWhole(await response.text(), response.ok)
  } catch (error) {
    if (signal.aborted) return change({ state: 'left' })
    noteError(error)
    change({ state: 'broken', problem: error instanceof Error ? error.message : String(error) })
  }

  async function readStream(stream: ReadableStream<Uint8Array>): Promise<void> {
    let isWhole = false
    for await (const data of eventsOf(stream, silentMs)) {
      if (data === '') continue
      isWhole ||= dialect.last?.test(data) ?? false
      const raw = [...reply.raw.slice(1 - mostRaw), data.slice(0, mostText)]
      const event = parse(data)
      if (!event) {
        change({ raw })
        continue
      }
      const problem = problemOf(event)
      change({
        raw,
        text: (reply.text + (dialect.deltaOf?.(event) ?? '')).slice(0, mostOutput),
        ...(problem !== undefined && { problem }),
      })
    }
    change({ state: isWhole && reply.problem === undefined ? 'ended' : 'broken' })
  }

  async function readAudio(response: Response, type: string): Promise<void> {
    const audio = new Blob([await response.arrayBuffer()], { type })
    change({ state: 'ended', audio, raw: [`${bytes(audio.size)} of ${type || 'an unknown type'}`] })
  }

  async function readWhole(text: string, isSuccess: boolean): Promise<void> {
    const body = parse(text)
    const raw = [(body ? JSON.stringify(body, null, 2) : text).slice(0, mostText)]
    if (!isSuccess || !body)
      return change({
        state: 'ended',
        raw,
        problem: (body && problemOf(body)) ?? text.slice(0, 500),
      })
    const images = dialect.makes === 'images' ? imagesOf(body) : []
    const job = dialect.makes === 'video' ? jobOf(body) : undefined
    change({ raw, text: dialect.textOf(body, prompt).slice(0, mostOutput), images, job })
    if (job) await follow(job)
    change({ state: 'ended' })
  }

  /** Asks how far a video is until it is made. */
  async function follow(first: VideoJob): Promise<void> {
    for (let job = first; !hasEnded(job);) {
      await pause(askMs, signal)
      signal.throwIfAborted()
      const response = await sendCall(videoCall(job.id, key), signal)
      const body = parse(await response.text())
      const next = response.ok && body ? jobOf(body) : undefined
      const problem = body && problemOf(body)
      if (!next) throw new Error(problem ?? `The gateway answered ${response.status}.`)
      job = next
      const raw = [...reply.raw.slice(1 - mostRaw), JSON.stringify(body, null, 2)]
      change({ job, raw, ...(problem !== undefined && { problem }) })
    }
  }
}

/** The last statuses of a video. Those before have other names in each form of the dialect. */
const last: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'expired'])

/** Whether a video is made, or never will be. */
export function hasEnded({ status }: VideoJob): boolean {
  return last.has(status)
}

/** Gets the content of a video. */
export async function videoContent(id: string, key: string): Promise<Blob> {
  const response = await sendCall(videoCall(id, key, '/content'))
  if (!response.ok) throw new Error(`The gateway answered ${response.status}.`)
  return await response.blob()
}

/** Sends a call of the inference API through the admin address. Rejects with an error of this address, not of the call. */
async function sendCall(call: PlaygroundCall, signal?: AbortSignal): Promise<Response> {
  const { method = 'POST', headers } = call
  const body = { ...call, method, headers: { ...headers, 'content-type': 'application/json' } }
  const response = await send('console/call', { body, accept: '*/*', ...(signal && { signal }) })
  if (response.headers.get('x-dragoman-call') !== 'answered') throw await failureOf(response)
  return response
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
