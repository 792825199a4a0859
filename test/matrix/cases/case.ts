import type { Call, Part, Problem, Reply, Settings } from '../conversation.ts'
import type { Pair } from '../dialects.ts'
import type { Outcome } from '../outcome.ts'
import type { Received } from '../received/index.ts'

/** A row of the matrix: what a client does, what becomes of it, and what both sides must see. */
export interface Case {
  /** As the page of the matrix calls it. */
  readonly name: string
  /** What the sandbox is told to do, in its model's name. */
  readonly upstream: string | { readonly json: string; readonly stream: string }
  readonly settings: Settings
  readonly turns: readonly Turn[]
  /** `served` where a pair is not named. */
  readonly outcomes?: Readonly<Partial<Record<PairName, Outcome>>>
  /** Throws unless the client heard, and the account received, what was meant. */
  check(seen: Seen): void
  /** Where the last turn has to end in an error: throws unless it is the right one. */
  checkProblem?(problem: Problem, seen: Seen): void
}

export type PairName = `${Pair['client']} on ${Pair['account']}`

/** What the user says, or what the tools answer to each call of the reply before. */
export type Turn = readonly Part[] | Answering

export type Answering = (call: Call, index: number) => string

/** A conversation that has come to its end. */
export interface Seen extends Pair {
  readonly stream: boolean
  readonly replies: readonly Reply[]
  readonly received: readonly Received[]
}
