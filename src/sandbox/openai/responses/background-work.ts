import { type JsonObject, objectOf, textOf } from '../../json.ts'
import type { Directives } from '../../steering/directives.ts'
import type { BackgroundWork } from '../../stored.ts'
import type { Frame } from '../../wire/frame.ts'
import { frameOf } from './events.ts'
import { unfinishedResponse } from './reply.ts'

// A client that received an event must find it in the stored response too. Timers fire early,
// so the work's events happen earlier than the stream's.
const leadFactor = 0.8

// `response.created` and `response.queued` have happened from the beginning.
const initialEvents = 2

/** Plans work that takes as long as its stream would with these directives, and stalls like it. */
export function planWork(events: Frame[], directives: Directives): BackgroundWork {
  const { first = 0, pace = 0, silent = 0, stall = Infinity } = directives
  const middle = Math.floor(events.length / 2)
  const timeOf = (index: number) => first + index * pace + (index < middle ? 0 : silent)
  const times = events.map((_, index) => (index < stall ? timeOf(index) * leadFactor : Infinity))
  return { events, times, startedAt: undefined }
}

/** Starts the work, unless it is started already. Without a pace, it finishes at once. */
export function startWork(work: BackgroundWork): void {
  work.startedAt ??= performance.now()
}

/** Starts the work and lets all its events happen now, except those that never happen. */
export function completeWork(work: BackgroundWork): void {
  startWork(work)
  work.times = work.times.map((time) => (time < Infinity ? 0 : Infinity))
}

/** The events that have happened, oldest first. */
export function eventsSoFar({ events, times, startedAt }: BackgroundWork): Frame[] {
  const elapsed = startedAt === undefined ? -1 : performance.now() - startedAt
  const next = times.findIndex((time) => time > elapsed)
  return next < 0 ? events : events.slice(0, Math.max(next, initialEvents))
}

/** The present state of the response. */
export function responseSoFar(work: BackgroundWork): JsonObject {
  const states = eventsSoFar(work).map(({ data }) => objectOf(data)['response'])
  return objectOf(states.findLast((response) => response !== undefined))
}

/** Whether the response is queued or in progress. */
export function isUnfinished(work: BackgroundWork): boolean {
  return ['queued', 'in_progress'].includes(textOf(responseSoFar(work)['status']))
}

/** Cancels unfinished work. The response loses its output, and its stream ends as a failed one. */
export function cancelWork(work: BackgroundWork): void {
  const past = eventsSoFar(work)
  const response = { ...unfinishedResponse(responseSoFar(work), 'queued'), status: 'cancelled' }
  work.events = [...past, frameOf({ type: 'response.failed', response }, past.length)]
  work.times = work.events.map(() => 0)
  startWork(work)
}
