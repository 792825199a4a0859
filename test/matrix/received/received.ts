/** What an account was asked for, the same in every dialect. */
export interface Received {
  readonly system: string
  readonly turns: readonly ReceivedTurn[]
  readonly tools: readonly ReceivedTool[]
  /** The name of the tool that has to be called. */
  readonly forced: string | undefined
  readonly schema: unknown
  /** Whether the model was asked to think. */
  readonly reasoning: boolean
  /** Whether the provider's own search of the web was asked for. */
  readonly search: boolean
  readonly stop: readonly string[]
  readonly maxTokens: number | undefined
  readonly stream: boolean
}

export interface ReceivedTurn {
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly files: readonly ReceivedFile[]
  readonly calls: readonly ReceivedCall[]
  readonly results: readonly ReceivedResult[]
  /** What proves to an account that it was the one that thought this. */
  readonly signatures: readonly string[]
}

export interface ReceivedFile {
  readonly kind: 'image' | 'document'
  readonly type: string
  readonly data: string
}

export interface ReceivedTool {
  readonly name: string
  readonly description: unknown
  readonly parameters: unknown
}

export interface ReceivedCall {
  readonly id: string | undefined
  readonly name: string
  readonly input: unknown
}

/** Of a result that names no call, the call is found by its name and place. */
export interface ReceivedResult {
  readonly id: string | undefined
  readonly name?: string
  readonly text: string
}

/** Turns of the same speaker that follow one another are one. */
export function joinTurns(turns: readonly ReceivedTurn[]): ReceivedTurn[] {
  const joined: ReceivedTurn[] = []
  for (const turn of turns) {
    const last = joined.at(-1)
    if (last?.role === turn.role) joined[joined.length - 1] = merged(last, turn)
    else joined.push(turn)
  }
  return joined
}

function merged(one: ReceivedTurn, other: ReceivedTurn): ReceivedTurn {
  return {
    role: one.role,
    text: one.text + other.text,
    files: [...one.files, ...other.files],
    calls: [...one.calls, ...other.calls],
    results: [...one.results, ...other.results],
    signatures: [...one.signatures, ...other.signatures],
  }
}

/** A turn of which a reader says only what is there. */
export function turnOf(turn: Partial<ReceivedTurn> & Pick<ReceivedTurn, 'role'>): ReceivedTurn {
  return { text: '', files: [], calls: [], results: [], signatures: [], ...turn }
}

/** The file in a data URL. */
export function fileOf(kind: ReceivedFile['kind'], url: string): ReceivedFile {
  const [, type = '', data = ''] = /^data:([^;]*);base64,(.*)$/.exec(url) ?? []
  return { kind, type, data }
}
