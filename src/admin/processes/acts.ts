import { setTimeout as delay } from 'node:timers/promises'

import { z } from 'zod'

import type { Problem } from '../../contract/problems.ts'
import { within } from '../../lib/deadline.ts'
import { type ActFailure, type FoundThere, conflict, invalidThere, notFound } from '../failures.ts'
import { type CommandOutcome, CommandRefused } from './broadcast.ts'
import type { Processes } from './index.ts'

/** The outcome of a reload in one process. */
export interface ReloadOutcome {
  readonly processId: string
  readonly status: CommandOutcome['status']
  readonly message?: string | undefined
  readonly problems: readonly Problem[]
}

/**
 * How long a process serves at least once it is to end, in milliseconds: longer than the process that was asked waits
 * for those that do not answer, so that its answer leaves.
 */
const answerMs = 3_500

/**
 * A configuration with many accounts takes a while: how long its check may take in a process, how long the checks of
 * all processes may take, and how long check and reload together, which is less than an operation may take.
 * Milliseconds.
 */
const ownCheckMs = 5_000
const checkMs = 6_000
const reloadMs = 9_000

const cancelInput = z.object({ id: z.string().max(200) })
const drainInput = z.object({ everything: z.boolean() })
const problems = z.array(
  z.object({ path: z.string(), message: z.string(), fix: z.string() }).readonly(),
)

/** Lets this process perform the acts of other processes. */
export function answerForActs(processes: Processes): void {
  const { handle, control, cancel } = processes
  handle('cancel', (input) => cancel(cancelInput.parse(input).id))
  handle('checkConfiguration', () =>
    within(ownCheckMs, control.check?.() ?? noFile(), checkTakesLong),
  )
  handle('reloadConfiguration', () => control.reload?.() ?? noFile())
  handle('drain', async (input) => {
    const { everything } = drainInput.parse(input)
    if (!control.drain) throw new CommandRefused('This process cannot end itself.')
    processes.announceDrain()
    const tooShort = answerMs - (control.drainDelayMs ?? 0)
    if (tooShort <= 0) control.drain(everything)
    else void delay(tooShort, undefined, { ref: false }).then(() => control.drain?.(everything))
    return true
  })
}

/** Cancels an exchange, in whichever process it runs. */
export async function cancelExchange(
  processes: Processes,
  id: string,
): Promise<ActFailure | { readonly processId: string }> {
  if (processes.cancel(id)) return { processId: processes.id }
  const command = { kind: 'cancel', input: { id } }
  const { outcomes, unanswered } = await processes.broadcast(command, { isEnough: isDone })
  const found = outcomes.find(isDone)
  if (found) return { processId: found.processId }
  if (unanswered.length === 0) return notFound('exchange in flight', id)
  return conflict(`The exchange is unknown here, and ${unanswered.join(', ')} did not answer.`)
}

/** Reloads the configuration of all processes, if none of them finds a problem in it. */
export async function reloadConfiguration(
  processes: Processes,
): Promise<ActFailure | { readonly processes: readonly ReloadOutcome[] }> {
  const end = performance.now() + reloadMs
  const { isReachable, isComplete, unreadable } = await processes.view({ afresh: true })
  if (isReachable && !isComplete) {
    const ids = unreadable.length > 0 ? `: ${unreadable.join(', ')}` : '.'
    return conflict(`Nothing was reloaded, because some processes cannot be read${ids}`)
  }
  const { outcomes: checks } = await processes.broadcast(
    { kind: 'checkConfiguration' },
    { deadlineMs: checkMs },
  )
  const bad = checks.map(outcomeOf).filter((one) => one.problems.length > 0)
  if (bad.length > 0) {
    await processes.beat()
    return invalidThere(distinct(bad))
  }
  const unsure = checks.filter(({ status }) => status !== 'DONE')
  if (unsure.length > 0) {
    const reasons = unsure.map(({ processId, message = 'no answer' }) => `${processId}: ${message}`)
    return conflict(
      `Nothing was reloaded, because a process cannot check it. ${reasons.join('; ')}`,
    )
  }
  const { outcomes: reloads } = await processes.broadcast(
    { kind: 'reloadConfiguration' },
    { deadlineMs: end - performance.now() },
  )
  await processes.beat()
  return { processes: reloads.map(outcomeOf) }
}

/** Ends one process, or all. */
export async function startDrain(
  processes: Processes,
  processId: string | undefined,
): Promise<ActFailure | { readonly processes: readonly CommandOutcome[] }> {
  const command = { kind: 'drain', input: { everything: processId === undefined } }
  if (processId !== undefined) {
    const { processes: known, isComplete } = await processes.view()
    const isKnown = known.some(({ id }) => id === processId)
    if (!isKnown && isComplete) return notFound('process', processId)
  }
  const only = processId === undefined ? {} : { only: processId }
  const { outcomes } = await processes.broadcast(command, only)
  if (outcomes.every(({ status }) => status !== 'DONE')) {
    const reasons = outcomes.map((one) => `${one.processId}: ${one.message ?? 'no answer'}`)
    return conflict(`No process ends. ${reasons.join('; ')}`)
  }
  return { processes: outcomes }
}

function isDone({ status, result }: CommandOutcome): boolean {
  return status === 'DONE' && result === true
}

function outcomeOf({ processId, status, message, result }: CommandOutcome): ReloadOutcome {
  return { processId, status, message, problems: problems.safeParse(result).data ?? [] }
}

/** Replicas mostly have the same file: each problem once, with all processes that have it. */
function distinct(checks: readonly ReloadOutcome[]): FoundThere[] {
  const found = checks.flatMap(({ processId, problems: all }) =>
    all.map((problem) => ({ processId, problem })),
  )
  const groups = Map.groupBy(found, ({ problem }) => `${problem.path}\n${problem.message}`)
  const merged = [...groups.values()].map(([first, ...others]) => ({
    ...first!.problem,
    processIds: [first!, ...others].map(({ processId }) => processId),
  }))
  return merged.slice(0, 100)
}

function checkTakesLong(): CommandRefused {
  return new CommandRefused(
    `Its check takes longer than ${ownCheckMs / 1_000} s. The log of the process says how it ends.`,
  )
}

function noFile(): never {
  throw new CommandRefused('This process has no configuration file.')
}
