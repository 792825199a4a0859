/** A helper, tool or function, in no dialect's words. */
export interface Helper {
  readonly name: string
  readonly about: string
  readonly takes: Record<string, unknown>
}

export interface Opening {
  /** Of the gateway. */
  readonly url: string
  readonly key: string
  readonly model: string
  readonly stream: boolean
  readonly system?: string
  readonly helpers?: readonly Helper[]
}

export interface Call {
  readonly id: string | undefined
  readonly name: string
  readonly input: unknown
}

/** A reply as the user of an SDK reads it. */
export interface Said {
  readonly text: string
  readonly calls: readonly Call[]
  /** In the client's own word. */
  readonly ending: string | null | undefined
  readonly usage: readonly (number | undefined)[]
}

/** The client keeps the history and sends all of it with each question. */
export interface Conversation {
  say(text: string): Promise<Said>
  /** One result for each call of the last reply. */
  answer(calls: readonly Call[], text: string): Promise<Said>
}

export interface Client {
  open(opening: Opening): Conversation
  /** Whether an error is the one that this client raises for a reply that failed. */
  isRaised(error: unknown): boolean
  /** The client's words for an answer that is complete, and for one that waits for helpers. */
  readonly done: string
  readonly waiting: string
}
