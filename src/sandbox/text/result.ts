/** The result of a request for text of any dialect. */
export type TextResult = {
  reasoning: string | undefined
  text: string | undefined
  refusal: string | undefined
  calls: ToolCall[]
  ending: Ending
  /** The native finish reason that a directive demands; undefined: the ending's own reason. */
  finish: string | undefined
  /** Undefined if a directive demands a reply without usage. */
  usage: TokenUsage | undefined
  /** Send the text as one delta, instead of small ones. */
  inOnePiece: boolean
}

/** A call of a tool. */
export type ToolCall = {
  name: string
  /** Any JSON, or the text given to a freeform tool. */
  input: unknown
  freeform: boolean
}

/** The reason why the result ends. */
export type Ending =
  | { reason: 'done' | 'length' | 'calls' | 'refusal' }
  | { reason: 'stop'; sequence: string }

/** Token counts; `input` includes `cached`, and `output` includes `reasoning`. */
export type TokenUsage = { input: number; output: number; reasoning: number; cached?: number }
