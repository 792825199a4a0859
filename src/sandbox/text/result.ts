/** What the sandbox is going to say, whatever the dialect. */
export type TextResult = {
  reasoning: string | undefined
  text: string | undefined
  refusal: string | undefined
  calls: ToolCall[]
  ending: Ending
  /** The native finish reason to report instead of the one that fits the ending. */
  finish: string | undefined
  /** Left out when the directives ask for that. */
  usage: TokenUsage | undefined
  /** Cut the text into small deltas, or send it in one. */
  inOnePiece: boolean
}

export type ToolCall = {
  name: string
  /** Any JSON, or the text given to a freeform tool. */
  input: unknown
  freeform: boolean
}

/** Why the answer ends. */
export type Ending =
  | { why: 'done' | 'length' | 'calls' | 'refusal' }
  | { why: 'stop'; sequence: string }

/** Token counts; `output` includes `reasoning`. */
export type TokenUsage = { input: number; output: number; reasoning: number }
