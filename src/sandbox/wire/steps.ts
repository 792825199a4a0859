import type { Directives } from '../steering/directives.ts'
import { encodeAwsMessage } from './aws-message.ts'
import { type Frame, type Framing, encodeArrayItem, encodeEvent, corruptFrame } from './frame.ts'

/** One action on the connection. All steps of a reply are planned before its first byte. */
export type Step =
  | { do: 'send'; bytes: Buffer }
  | { do: 'wait'; milliseconds: number }
  /** End the body properly. */
  | { do: 'end' }
  /** Close the connection in the middle of the body. */
  | { do: 'destroy' }
  /** Keep the connection open and send nothing more. */
  | { do: 'stall' }

/** The frames of a stream. `failure` are those that the provider sends when a stream fails. */
export type Stream = {
  frames: Frame[]
  failure: Frame[]
  framing: Framing
  /** Text before the first event, which means nothing. */
  keepAlive?: string
}

/** Plans a streamed reply, with the interruption that the directives demand. */
export function stepsOfStream(stream: Stream, directives: Directives): Step[] {
  const whole = encodeAll(applyToFrames(stream, directives), stream.framing, directives)
  const { count, half, finally: ending } = interruptionOf(directives)
  const events = count < whole.length ? whole.slice(0, count) : whole
  const { keepAlive } = stream
  const steps = withPauses(events, directives)
  if (keepAlive !== undefined) steps.unshift(send(Buffer.from(keepAlive)))
  const next = whole[count]
  if (next === undefined) return finish([...steps, ...closingOf(stream), { do: 'end' }], directives)
  if (half) steps.push(send(next.subarray(0, Math.ceil(next.length / 2))))
  return finish([...steps, { do: ending }], directives)
}

/** Plans a body that is no stream. It is interrupted after its first half. The count does not matter. */
export function stepsOfBody(body: Buffer, directives: Directives): Step[] {
  const middle = Math.floor(body.length / 2)
  const { count, finally: ending } = interruptionOf(directives)
  const steps: Step[] = [send(body.subarray(0, middle))]
  if (directives.silent) steps.push({ do: 'wait', milliseconds: directives.silent })
  if (count < Infinity) return finish([...steps, { do: ending }], directives)
  return finish([...steps, send(body.subarray(middle)), { do: 'end' }], directives)
}

type Interruption = { count: number; half: boolean; finally: 'end' | 'destroy' | 'stall' }

function interruptionOf({ cut, eof, half, halfeof, stall }: Directives): Interruption {
  if (cut !== undefined) return { count: cut, half: false, finally: 'destroy' }
  if (eof !== undefined) return { count: eof, half: false, finally: 'end' }
  if (half !== undefined) return { count: half, half: true, finally: 'destroy' }
  if (halfeof !== undefined) return { count: halfeof, half: true, finally: 'end' }
  if (stall !== undefined) return { count: stall, half: false, finally: 'stall' }
  return { count: Infinity, half: false, finally: 'end' }
}

function applyToFrames({ frames, failure }: Stream, directives: Directives): Frame[] {
  const { error, malformed } = directives
  const fails = error !== undefined && error < frames.length
  const sent = fails ? [...frames.slice(0, error), ...failure] : frames
  const remaining = directives.notdone ? sent.filter((frame) => frame.data !== '[DONE]') : sent
  return remaining.map((frame, index) => (index + 1 === malformed ? corruptFrame(frame) : frame))
}

function encodeAll(frames: Frame[], framing: Framing, directives: Directives): Buffer[] {
  if (framing === 'aws-messages') return frames.map(encodeAwsMessage)
  const encoded =
    framing === 'json-array'
      ? frames.map(encodeArrayItem)
      : frames.map((frame) => encodeEvent(frame, directives))
  const last = encoded.pop()
  if (last !== undefined) encoded.push(directives.noblank ? last.trimEnd() : last)
  return encoded.map((event) => Buffer.from(event))
}

function closingOf(stream: Stream): Step[] {
  return stream.framing === 'json-array'
    ? [send(Buffer.from(stream.frames.length > 0 ? ']' : '[]'))]
    : []
}

function withPauses(events: Buffer[], { first, pace, silent }: Directives): Step[] {
  const middle = Math.floor(events.length / 2)
  return events.flatMap((event, index): Step[] => {
    const pause = (index === 0 ? first : pace) ?? 0
    const silence = index === middle ? (silent ?? 0) : 0
    const wait = pause + silence
    return wait > 0 ? [{ do: 'wait', milliseconds: wait }, send(event)] : [send(event)]
  })
}

function finish(steps: Step[], { coalesce, split }: Directives): Step[] {
  const joined = coalesce ? joinSends(steps) : steps
  return split ? joined.flatMap((step) => splitSend(step, split)) : joined
}

function joinSends(steps: Step[]): Step[] {
  const bytes = steps.flatMap((step) => (step.do === 'send' ? [step.bytes] : []))
  const ending = steps.filter((step) => step.do !== 'send' && step.do !== 'wait')
  return [{ do: 'send', bytes: Buffer.concat(bytes) }, ...ending]
}

function splitSend(step: Step, size: number): Step[] {
  if (step.do !== 'send') return [step]
  const count = Math.ceil(step.bytes.length / size)
  return Array.from({ length: count }, (_, index) => ({
    do: 'send' as const,
    bytes: step.bytes.subarray(index * size, (index + 1) * size),
  }))
}

function send(bytes: Buffer): Step {
  return { do: 'send', bytes }
}
