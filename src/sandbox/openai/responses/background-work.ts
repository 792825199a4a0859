import { type JsonObject, objectOf, textOf } from '../../json.ts'
import type { Directives } from '../../steering/directives.ts'
import type { BackgroundWork } from '../../stored.ts'
import type { Frame } from '../../wire/frame.ts'
import { frameOf } from './events.ts'
import { unfinishedResponse } from './reply.ts'

// Whoever has been streamed an event must find that it has come about, although timers fire early.
const ahead = 0.8

// That it was created and is queued is true as soon as it was taken on.
const eventsOfQueue = 2

/** Work that takes as long as its stream would with these directives, and stalls where it would. */
export function planWork(events: Frame[], directives: Directives): BackgroundWork {
  const { first = 0, pace = 0, silent = 0, stall = Infinity } = directives
  const middle = Math.floor(events.length / 2)
  const timeOf = (index: number) => first + index * pace + (index < middle ? 0 : silent)
  const times = events.map((_, index) => (index < stall ? timeOf(index) * ahead : Infinity))
  return { events, times, startedAt: undefined }
}

/** Starts the work, unless it has been started. Without a pace it is then done at once. */
export function startWork(work: BackgroundWork): void {
  work.startedAt ??= performance.now()
}

/** Starts the work and lets come about right now whatever is going to. */
export function completeWork(work: BackgroundWork): void {
  startWork(work)
  work.times = work.times.map((time) => (time < Infinity ? 0 : Infinity))
}

/** The events that have come about, oldest first. */
export function eventsSoFar({ events, times, startedAt }: BackgroundWork): Frame[] {
  const elapsed = startedAt === undefined ? -1 : performance.now() - startedAt
  const next = times.findIndex((time) => time > elapsed)
  return next < 0 ? events : events.slice(0, Math.max(next, eventsOfQueue))
}

/** The response as it is now. */
export function responseSoFar(work: BackgroundWork): JsonObject {
  const told = eventsSoFar(work).map(({ data }) => objectOf(data)['response'])
  return objectOf(told.findLast((response) => response !== undefined))
}

export function isUnfinished(work: BackgroundWork): boolean {
  return ['queued', 'in_progress'].includes(textOf(responseSoFar(work)['status']))
}

/** Ends work that is under way. What it has written is gone; its stream ends as a failed one. */
export function cancelWork(work: BackgroundWork): void {
  const past = eventsSoFar(work)
  const response = { ...unfinishedResponse(responseSoFar(work), 'queued'), status: 'cancelled' }
  work.events = [...past, frameOf({ type: 'response.failed', response }, past.length)]
  work.times = work.events.map(() => 0)
  startWork(work)
}
