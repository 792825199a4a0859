import { FairQueue } from './fair-queue.ts'

/** Work that yields where others may be served: `run` does it at once, `runInTurns` in turns of the event loop. */
export type Work<Result> = Generator<undefined, Result, undefined>

/** For whom work is done. */
interface WorkOf {
  /** The id of the API key whose call it is. Absent: the gateway's own work. */
  readonly owner?: string | undefined
  /** Ends the work. */
  readonly signal?: AbortSignal | undefined
}

/** The time after which work gives way at its next `yield`, in milliseconds. */
const turnMs = 10

/** Does work at once. */
export function run<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/**
 * Does work in turns of the event loop, so that other requests are served meanwhile. Rejects as the work throws, and
 * with the reason of an aborted signal.
 */
export async function runInTurns<Result>(
  work: Work<Result>,
  { owner, signal }: WorkOf = {},
): Promise<Result> {
  const giveWay = pacer(owner)
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    const waiting = giveWay()
    if (!waiting) continue
    await waiting
    signal?.throwIfAborted()
  }
}

/** Returns a function for asynchronous work: it returns a promise of the next turn if that work has taken this one for long. */
export function pacer(owner?: string): () => Promise<void> | undefined {
  let until = performance.now() + turnMs
  return () => {
    if (performance.now() <= until) return undefined
    return nextTurn(owner).then(() => void (until = performance.now() + turnMs))
  }
}

/** The callers that wait for a turn. */
const waiting = new FairQueue<() => void>()

/**
 * Resolves in a later turn of the event loop, when others have been served. Each turn serves one caller: many that
 * work for a long time would otherwise make one long turn together. Owners take turns, so that the work of one API
 * key, however many calls it has, does not slow down the work of another as many times.
 */
export function nextTurn(owner = ''): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.isEmpty) serveSoon()
    waiting.add(owner, resolve)
  })
}

/**
 * Calls `serveNext` in an immediate that another immediate sets: the loop polls the sockets between the two. A new
 * connection is accepted in one turn and its request read in the next, and so waits for the work of one caller only.
 */
function serveSoon(): void {
  setImmediate(() => setImmediate(serveNext))
}

function serveNext(): void {
  // Answers that are ready for their clients would otherwise wait for the work of this caller.
  runAll()
  const resolve = waiting.take()
  if (!waiting.isEmpty) serveSoon()
  resolve?.()
}

/** How long the events of a turn of the event loop may take before the further ones wait, in milliseconds. */
const longTurnMs = 50

let atEnd: (() => void)[] = []
/** The immediate that calls `runAll`. */
let due: NodeJS.Immediate | undefined

/**
 * Runs work at the end of this turn of the event loop, together with all other such work. It must not throw.
 * Once such work has taken `longTurnMs`, the remaining calls run in the next turn.
 * A turn under load reads much for many clients. Where each piece is written at once, a client falls asleep
 * between two of them, and to wake it costs more than the write: a quarter of a whole request (`npm run bench`).
 */
export function atEndOfTurn(work: () => void): void {
  atEnd.push(work)
  due ??= setImmediate(runAll)
}

function runAll(): void {
  clearImmediate(due)
  due = undefined
  const all = atEnd
  atEnd = []
  const until = performance.now() + longTurnMs
  let ran = 0
  for (const work of all) {
    work()
    ran++
    if (performance.now() > until) break
  }
  if (ran === all.length) return
  atEnd = [...all.slice(ran), ...atEnd]
  due ??= setImmediate(runAll)
}

/** When the first event of this turn asked whether it may go on. */
let turnBegan: number | undefined

/** The events that wait because their turn was long, and their number: a call looks at it often. */
const late = new FairQueue<() => void>()
let lateEvents = 0

/**
 * Whether an event must await `lateTurn`, because those before it have taken long: many connections may have bytes in
 * one turn of the event loop.
 */
export function isLongTurn(): boolean {
  if (lateEvents > 0) return true
  if (turnBegan !== undefined) return performance.now() - turnBegan > longTurnMs
  turnBegan = performance.now()
  atEndOfTurn(forgetTurn)
  return false
}

function forgetTurn(): void {
  turnBegan = undefined
}

/**
 * Resolves in a later turn of the event loop, for an event that takes a short time: each turn serves as many as its
 * time permits. Owners take turns as in `nextTurn`.
 */
export function lateTurn(owner = ''): Promise<void> {
  return new Promise((resolve) => {
    if (++lateEvents === 1) setImmediate(() => setImmediate(serveLate))
    late.add(owner, resolve)
  })
}

function serveLate(until: number = performance.now() + longTurnMs): void {
  late.take()?.()
  if (--lateEvents === 0) return
  // A tick behind a microtask runs when all that follows from the event at once is done.
  queueMicrotask(() => process.nextTick(serveFurther, until))
}

function serveFurther(until: number): void {
  if (performance.now() < until) serveLate(until)
  else setImmediate(serveLate)
}
