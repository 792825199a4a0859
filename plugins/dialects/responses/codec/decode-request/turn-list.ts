import { append } from '../../../../../src/lib/append.ts'
import type {
  AssistantPart,
  TextPart,
  ToolResult,
  UserPart,
} from '../../../../../src/generate/content.ts'
import type { Notes } from '../../../../../src/generate/notes.ts'
import type { Turn } from '../../../../../src/generate/request.ts'
import { attachSignatures } from '../signed-parts.ts'

type OpenTurn =
  | { role: 'assistant'; content: AssistantPart[] }
  | { role: 'tool'; results: ToolResult[] }

/** Builds turns from items. It joins consecutive assistant items, and consecutive tool results. */
export class TurnList {
  readonly #turns: Turn[] = []
  #hasOther = false
  #open: OpenTurn | undefined

  /** Whether the list has a turn of another role than `system`. */
  get hasBegun(): boolean {
    return this.#open !== undefined || this.#hasOther
  }

  system(content: readonly TextPart[]): void {
    if (content.length > 0) this.#add({ role: 'system', content })
  }

  user(content: readonly UserPart[]): void {
    this.#add({ role: 'user', content })
  }

  assistant(parts: readonly AssistantPart[]): void {
    if (parts.length === 0) return
    if (this.#open?.role !== 'assistant') this.#begin({ role: 'assistant', content: [] })
    if (this.#open?.role === 'assistant') append(this.#open.content, parts)
  }

  result(result: ToolResult): void {
    if (this.#open?.role !== 'tool') this.#begin({ role: 'tool', results: [] })
    if (this.#open?.role === 'tool') this.#open.results.push(result)
  }

  finish(): Turn[] {
    this.#close()
    return this.#turns
  }

  #add(turn: Turn): void {
    this.#close()
    if (turn.role !== 'system') this.#hasOther = true
    this.#turns.push(turn)
  }

  #begin(turn: OpenTurn): void {
    this.#close()
    this.#open = turn
  }

  #close(): void {
    const turn = this.#open
    this.#open = undefined
    // An assistant turn without content leaves no turn.
    if (turn?.role === 'tool') this.#turns.push(turn)
    if (turn?.role === 'tool') this.#hasOther = true
    if (turn?.role !== 'assistant') return
    const content = attachSignatures(turn.content)
    if (content.length === 0) return
    this.#hasOther = true
    this.#turns.push({ role: 'assistant', content })
  }
}

/** The destination of decoded items. */
export interface DecodeContext {
  readonly turns: TurnList
  /** The path of each result in the client's request. */
  readonly results: Map<ToolResult, string>
  readonly notes: Notes
}
