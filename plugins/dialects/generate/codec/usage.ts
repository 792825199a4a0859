import { type JsonObject, defined } from '../../../../src/lib/json/object.ts'
import type { GenerateUsage } from '../../../../src/generate/result.ts'
import { tokensAt } from '../../../../src/lib/json/read.ts'

/**
 * What the chunks of a reply tell of usage. Each tells of all so far, but not each tells everything.
 * Thoughts count beside the candidates here, and the prompts of Google's tools beside the prompt.
 */
export class UsageReader {
  #prompt: number | undefined
  #toolPrompts: number | undefined
  #visible: number | undefined
  #thoughts: number | undefined
  #cached: number | undefined
  #total: number | undefined

  push(usage: unknown): void {
    if (typeof usage !== 'object' || usage === null) return
    this.#prompt = tokensAt(usage, 'promptTokenCount') ?? this.#prompt
    this.#toolPrompts = tokensAt(usage, 'toolUsePromptTokenCount') ?? this.#toolPrompts
    this.#visible = tokensAt(usage, 'candidatesTokenCount') ?? this.#visible
    this.#thoughts = tokensAt(usage, 'thoughtsTokenCount') ?? this.#thoughts
    this.#cached = tokensAt(usage, 'cachedContentTokenCount') ?? this.#cached
    this.#total = tokensAt(usage, 'totalTokenCount') ?? this.#total
  }

  get usage(): GenerateUsage {
    const inputTokens = sum(this.#prompt, this.#toolPrompts)
    return defined({
      inputTokens,
      outputTokens: this.#output(inputTokens),
      cachedTokens: this.#cached,
      reasoningTokens: this.#thoughts,
    })
  }

  /** The total has what is not told by itself; one from an earlier chunk may have less than that. */
  #output(input: number | undefined): number | undefined {
    const told = sum(this.#visible, this.#thoughts)
    const total = this.#total
    if (this.#prompt === undefined || total === undefined || total < input!) return told
    return Math.max(told ?? 0, total - input!)
  }
}

/** What each chunk tells anew in `usageMetadata`, with its details by modality. */
export const cumulativeMembers = [
  'promptTokenCount',
  'toolUsePromptTokenCount',
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'cachedContentTokenCount',
  'totalTokenCount',
  'tokenCount',
]

/** Of what is known. */
function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : one + (other ?? 0)
}

/** `usageMetadata`, as far as it is known; undefined where nothing is. */
export function writeUsage(usage: GenerateUsage): JsonObject | undefined {
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens } = usage
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  const isWhole = inputTokens !== undefined && outputTokens !== undefined
  return defined({
    promptTokenCount: inputTokens,
    candidatesTokenCount:
      outputTokens === undefined ? undefined : Math.max(0, outputTokens - (reasoningTokens ?? 0)),
    thoughtsTokenCount: reasoningTokens,
    cachedContentTokenCount: cachedTokens,
    totalTokenCount: isWhole ? inputTokens + outputTokens : undefined,
  })
}
