import type { ReasoningPart, Signature, ToolCallPart } from '../generate/content.ts'
import type { GenerateEvent } from '../generate/events.ts'
import type { GenerateRequest, Turn } from '../generate/request.ts'
import { safeToolId } from '../generate/tool-ids.ts'
import type { Log } from '../log.ts'
import type { Records } from '../stores/store.ts'

/** As long as the affinities of reasoning (facts/Anthropic and Gemini 5.5). Milliseconds. */
const lifeMs = 7 * 24 * 60 * 60_000

/** What was thought before a tool was called, as its provider wants it back with the result. */
export interface Signed {
  readonly reasoning: readonly ReasoningPart[]
  readonly signature?: Signature
}

/** A call and what was signed with it. */
export interface SignedCall extends Signed {
  readonly callId: string
}

/** Keeps signatures for clients that have no field for them, by key and tool call. */
export interface SignatureMemory {
  /** The request with what is known of its calls. Without it, where the store does not answer. */
  recall(keyId: string, request: GenerateRequest): Promise<GenerateRequest>
  /** Never rejects: a call without its signature is served all the same. */
  keep(keyId: string, calls: readonly SignedCall[]): Promise<void>
}

export function createSignatureMemory(
  records: Pick<Records<Signed>, 'getMany' | 'setMany'>,
  log: Pick<Log, 'warn'>,
): SignatureMemory {
  return {
    async recall(keyId, request) {
      const calls = unsignedCalls(request.turns)
      if (calls.length === 0) return request
      try {
        const found = await records.getMany(calls.map(({ id }) => nameOf(keyId, id)))
        const known = new Map(calls.map(({ id }, index) => [id, found[index]]))
        return { ...request, turns: request.turns.map((turn) => signedTurn(turn, known)) }
      } catch (error) {
        log.warn('signatures cannot be read: reasoning is not continued', { error: String(error) })
        return request
      }
    },
    async keep(keyId, calls) {
      const entries = calls.map(({ callId, ...value }) => ({
        id: nameOf(keyId, callId),
        value,
        ttlMs: lifeMs,
      }))
      try {
        await records.setMany(entries)
      } catch (error) {
        log.warn('signatures cannot be kept: reasoning is not continued', { error: String(error) })
      }
    },
  }
}

/** Finds in a reply what was signed. */
export class SignatureCollector {
  readonly #calls: SignedCall[] = []
  readonly #open = new Map<number, ReasoningPart | { call: SignedCall; at: number }>()
  #thought: ReasoningPart[] = []

  push(event: GenerateEvent): void {
    switch (event.type) {
      case 'part':
        if (event.part.type === 'reasoning')
          this.#open.set(event.index, { ...event.part, text: '' })
        if (event.part.type === 'tool_call') this.#call(event.index, event.part.id)
        break
      case 'delta':
        this.#change(event.index, (part) => ({ ...part, text: part.text + event.text }))
        break
      case 'signature':
        this.#sign(event.index, event.signature)
        break
      case 'end':
        this.#end(event.index)
    }
  }

  /** What is worth keeping. */
  get calls(): readonly SignedCall[] {
    return this.#calls.filter(({ reasoning, signature }) => signature || reasoning.length > 0)
  }

  #call(index: number, id: string): void {
    const call = { callId: safeToolId(id), reasoning: this.#thought }
    // What was thought belongs to the first call of several.
    this.#thought = []
    this.#open.set(index, { call, at: this.#calls.push(call) - 1 })
  }

  #change(index: number, change: (part: ReasoningPart) => ReasoningPart): void {
    const part = this.#open.get(index)
    if (part && 'form' in part) this.#open.set(index, change(part))
  }

  #sign(index: number, signature: Signature): void {
    const part = this.#open.get(index)
    if (part && 'call' in part) this.#calls[part.at] = { ...part.call, signature }
    else this.#change(index, (reasoning) => ({ ...reasoning, signature }))
  }

  #end(index: number): void {
    const part = this.#open.get(index)
    this.#open.delete(index)
    if (part && 'form' in part && part.signature) this.#thought.push(part)
  }
}

function unsignedCalls(turns: readonly Turn[]): ToolCallPart[] {
  return turns.flatMap((turn) =>
    turn.role === 'assistant'
      ? turn.content.filter((part) => part.type === 'tool_call' && !part.signature)
      : [],
  ) as ToolCallPart[]
}

function signedTurn(turn: Turn, known: ReadonlyMap<string, Signed | undefined>): Turn {
  if (turn.role !== 'assistant') return turn
  const hasReasoning = turn.content.some((part) => part.type === 'reasoning' && part.signature)
  const content = turn.content.flatMap((part) => {
    const signed = part.type === 'tool_call' && !part.signature ? known.get(part.id) : undefined
    if (!signed) return [part]
    const { reasoning, signature } = signed
    return [...(hasReasoning ? [] : reasoning), signature ? { ...part, signature } : part]
  })
  return { ...turn, content }
}

/** Ids of calls are whatever clients make of them. */
function nameOf(keyId: string, callId: string): string {
  return `${keyId} ${safeToolId(callId)}`
}
