import { randomUUID } from 'node:crypto'

import { GatewayError } from '../../contract/errors.ts'
import { deadline } from '../../lib/deadline.ts'
import { type Log, describeError } from '../../lib/log.ts'
import type { AnswerMessage, CommandMessage } from './messages.ts'

/** A question or an act that several processes perform. */
export interface Command {
  /** Such as `cancel` or `readmit`. Processes without a handler of this kind do not answer. */
  readonly kind: string
  /** JSON; checked by the handler. It contains no secret. */
  readonly input?: Readonly<Record<string, unknown>>
}

/**
 * Performs a command in this process. Its input comes from another process and must be checked. A rejection is an
 * answer of status `FAILED`, with the message of a `CommandRefused`.
 */
export type CommandHandler = (input: Readonly<Record<string, unknown>>) => unknown

/** Why a process does not perform a command, in words for operators. All other errors go to the log. */
export class CommandRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CommandRefused'
  }
}

/** The outcome of a command in this process. */
type CommandAnswer = Pick<AnswerMessage, 'status' | 'message' | 'result'>

/** The outcome of a command in one process. */
export interface CommandOutcome extends Omit<CommandAnswer, 'status'> {
  readonly processId: string
  /** `UNANSWERED`: the process may have performed the command or not. */
  readonly status: CommandAnswer['status'] | 'UNANSWERED'
}

/** The options of a command. */
export interface SendOptions {
  /** The other processes that should answer. */
  readonly to: readonly string[]
  /** The id of the only process that performs the command. Absent: all perform it, also processes that `to` lacks. */
  readonly only?: string
  /** The operator who asks: the question takes one of the operator's places. Absent: it is an act. */
  readonly asker?: string
  /** How long the others may take, in milliseconds. */
  readonly deadlineMs?: number
  /** With such an outcome the others are not waited for. */
  readonly isEnough?: (outcome: CommandOutcome) => boolean
}

/** The options of a question to all processes. */
export type AskOptions = Required<Pick<SendOptions, 'asker'>> & Pick<SendOptions, 'deadlineMs'>

/** The outcome of a command in all processes. */
export interface BroadcastResult {
  readonly outcomes: readonly CommandOutcome[]
  /** The ids of processes that did not perform it, as far as is known. */
  readonly unanswered: readonly string[]
}

/** Commands between processes. */
interface Broadcast {
  /** Performs a kind of command in this process. */
  handle(kind: string, handler: CommandHandler): void
  /** Performs a command here. */
  perform(command: Command): Promise<CommandAnswer>
  /**
   * Sends a command to other processes. Resolves with an outcome for each of `to` once all have answered, or at
   * the deadline. Rejects with `GatewayError` while too many commands wait.
   */
  send(command: Command, options: SendOptions): Promise<CommandOutcome[]>
  /** Takes a command or an answer from the bus. */
  receive(message: CommandMessage | AnswerMessage): void
}

/** A command or an answer as `publish` takes it. */
export type Outgoing = Omit<CommandMessage, 'from' | 'sent'> | Omit<AnswerMessage, 'from' | 'sent'>

/** The options of `createBroadcast`. */
interface BroadcastOptions {
  readonly log: Log
  /** Returns whether the message is short enough for the bus. */
  readonly publish: (message: Outgoing) => boolean
}

/** How long the others may take, in milliseconds: a busy process answers late. */
const usualDeadlineMs = 2_500

/** Acts whose answers this process awaits. Questions take none of their places. */
const mostActs = 32

/** Questions whose answers this process awaits: of all operators, and of one, so that the others always get one. */
const mostQuestions = 32
const mostOfAsker = 4

/** Commands of other processes that this one performs at a time. */
const mostPerformed = 64

/** Creates the commands of a process. */
export function createBroadcast({ log, publish }: BroadcastOptions): Broadcast {
  const handlers = new Map<string, CommandHandler>()
  /** The commands that wait for answers, by their ids. */
  const waiting = new Map<string, (answer: AnswerMessage) => void>()
  const takePlace = createPlaces()
  let performing = 0

  async function perform({ kind, input = {} }: Command): Promise<CommandAnswer> {
    const handler = handlers.get(kind)
    if (!handler) return { status: 'FAILED', message: `This process does not know \`${kind}\`.` }
    try {
      return { status: 'DONE', result: (await handler(input)) ?? null }
    } catch (error) {
      if (error instanceof CommandRefused) return { status: 'FAILED', message: error.message }
      // Its message may hold a secret, and the answer leaves the process.
      log.error('a command failed', { kind, ...describeError(error) })
      return { status: 'FAILED', message: 'It failed; the log of the process says why.' }
    }
  }

  async function obey({ command, from, kind, input }: CommandMessage): Promise<void> {
    const answerWith = (answer: CommandAnswer) => publish({ to: from, answer: command, ...answer })
    if (performing >= mostPerformed) {
      answerWith({ status: 'FAILED', message: 'This process performs too many commands.' })
      return
    }
    performing++
    try {
      const isSent = answerWith(await perform({ kind, input }))
      if (!isSent) answerWith({ status: 'FAILED', message: 'The answer is too long.' })
    } finally {
      performing--
    }
  }

  return {
    handle: (kind, handler) => void handlers.set(kind, handler),
    perform,
    receive(message) {
      if ('answer' in message) waiting.get(message.answer)?.(message)
      // Another version of the gateway may know it.
      else if (handlers.has(message.kind)) void obey(message)
    },
    async send({ kind, input = {} }, options) {
      const { to, only, asker, deadlineMs = usualDeadlineMs, isEnough = () => false } = options
      using _place = takePlace(asker)
      const command = randomUUID()
      const outcomes = new Map<string, CommandOutcome>()
      await new Promise<void>((resolve) => {
        const cancel = deadline(deadlineMs, resolve)
        const check = (isLast: boolean) => {
          if (!isLast && outcomes.size < to.length) return
          cancel()
          resolve()
        }
        waiting.set(command, ({ from, status, message, result }) => {
          if (!to.includes(from)) return
          const said = {
            ...(message !== undefined && { message }),
            ...(result !== undefined && { result }),
          }
          const outcome = { processId: from, status, ...said }
          outcomes.set(from, outcome)
          check(isEnough(outcome))
        })
        publish({ ...(only !== undefined && { to: only }), command, kind, input })
        check(false)
      })
      waiting.delete(command)
      return to.map((processId) => outcomes.get(processId) ?? { processId, status: 'UNANSWERED' })
    },
  }
}

/** Takes the place of an act, or of a question of an operator. Disposing it gives the place back. */
function createPlaces(): (asker: string | undefined) => Disposable {
  let acts = 0
  let questions = 0
  const ofAskers = new Map<string, number>()

  return (asker) => {
    if (asker === undefined) {
      if (acts >= mostActs) throw tooMany()
      acts++
      return { [Symbol.dispose]: () => void acts-- }
    }
    const own = ofAskers.get(asker) ?? 0
    if (questions >= mostQuestions || own >= mostOfAsker) throw tooMany()
    questions++
    ofAskers.set(asker, own + 1)
    return {
      [Symbol.dispose]() {
        questions--
        const left = (ofAskers.get(asker) ?? 1) - 1
        if (left === 0) ofAskers.delete(asker)
        else ofAskers.set(asker, left)
      },
    }
  }
}

function tooMany(): GatewayError {
  return new GatewayError('rate_limited', 'This process awaits the answers of too many commands.')
}
