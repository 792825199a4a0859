import type { JsonObject } from '../../src/lib/json/object.ts'
import type { Observation } from '../../src/contract/observer.ts'
import { GatewayError } from '../../src/contract/errors.ts'
import type { Outcome } from '../../src/contract/outcome.ts'
import { SseJoiner, parseFrame } from '../../src/lib/sse.ts'
import type { AttemptPlan } from '../../src/contract/attempt.ts'

/** What becomes of a stream between account and client. */
export interface Relayed {
  /** What the client gets, the last words of a stream that broke included. */
  readonly wire: string
  readonly outcome: Outcome | undefined
  readonly error: GatewayError | undefined
  /** How the connection ends. */
  readonly ending: 'end' | 'reset'
}

/** Feeds a stream to a translation in these chunks, as the relay does with those of the network. */
export function relayed(chunks: readonly Buffer[], approach: AttemptPlan): Relayed {
  const observer = approach.observer()
  const joiner = new SseJoiner()
  const wire: Buffer[] = []
  let outcome: Outcome | undefined
  let error: GatewayError | undefined

  const act = (told: Observation): void => {
    const { phase, bytes } = told
    if (bytes) wire.push(bytes)
    if (phase === 'terminal') outcome = told.outcome
    if (phase === 'failed') error = told.error ?? brokenOff
  }
  for (const chunk of chunks) {
    const frames = joiner.feed(chunk)
    if (frames && !error) act(observer.observe(frames))
  }
  const rest = joiner.flush()
  if (rest && !error) {
    const frames = completed(rest)
    if (frames) act(observer.observe(frames))
    else if (!outcome) error = brokenOff
  }
  if (!outcome && !error) act(observer.end())
  const words = error && observer.fail(error)
  if (words) wire.push(words.bytes)
  return {
    wire: Buffer.concat(wire).toString(),
    outcome,
    error,
    ending: words?.ending ?? 'end',
  }
}

const brokenOff = new GatewayError('upstream_stream_broken', 'The stream broke off.')

/** A last frame may come without its blank line, but not in part. */
function completed(rest: Buffer): Buffer | undefined {
  const { data } = parseFrame(rest)
  if (data !== undefined && data !== '[DONE]') {
    try {
      JSON.parse(data)
    } catch {
      return undefined
    }
  }
  return Buffer.concat([rest, Buffer.from('\n\n')])
}

/** What becomes of a reply in one piece. */
export async function replied(json: unknown, approach: AttemptPlan) {
  const { outcome, body } = await approach.read(json)
  return { outcome, body: body && (JSON.parse(body.toString()) as JsonObject) }
}
